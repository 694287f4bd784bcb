/** Characters of an id's end that tell it apart for a reader; its beginning is a time. */
const TAIL = 8;

/** The end of an id, for people. */
export function shortId(id: string): string {
  return id.length <= TAIL + 1 ? id : `…${id.slice(-TAIL)}`;
}
