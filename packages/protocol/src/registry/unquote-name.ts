/** Blanks and quotation marks at either end. */
const WRAPPING = /^[\s"'`‘’“”„«»]+|[\s"'`‘’“”„«»]+$/gu;

/**
 * A name without the blanks and quotation marks around it, which models add when they write one.
 *
 * Look-ups by name try it when nobody has the name as it is written.
 */
export function unquoteName(name: string): string {
  return name.replace(WRAPPING, "");
}
