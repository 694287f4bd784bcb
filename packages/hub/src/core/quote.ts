/** Longest text that an error message repeats. */
const MAX_QUOTED = 80;

/** A text from outside in single quotes, cut so that no message grows with its input. */
export function quote(text: string): string {
  return text.length <= MAX_QUOTED ? `'${text}'` : `'${text.slice(0, MAX_QUOTED)}…'`;
}
