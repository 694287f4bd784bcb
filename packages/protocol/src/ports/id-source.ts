/** The only source of ids. */
export interface IdSource {
  /** A new id, lexicographically above every earlier one of this source. */
  next(): string;
  /** Makes every later id sort above this one; ids of another form are ignored. */
  advancePast(id: string): void;
}
