/** What came of one round of a load. */
export interface RoundResult {
  readonly seconds: number;
  /** From each post until the hub's answer to it. */
  readonly latenciesMs: readonly number[];
}

/** Two agents in a conversation on one hub, one of whom posts. */
export interface Load {
  /** Posts so many texts, so many of them under way at one time; over when the other side has them all. */
  round(texts: number, underWay: number): Promise<RoundResult>;
  close(): Promise<void>;
}
