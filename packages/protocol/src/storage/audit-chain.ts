/**
 * The text over which the hash of an audit record is taken: the hash before it, its place and its
 * JSON, each on a line of its own.
 *
 * @param prevHash - empty for the first record
 * @param json - `JSON.stringify` of the record
 */
export function auditChainText(prevHash: string, sequence: number, json: string): string {
  return `${prevHash}\n${sequence}\n${json}`;
}
