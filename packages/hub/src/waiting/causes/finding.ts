import type { WaitingCause } from "@colloquy/protocol";
import type { Named, WaitingFacts } from "../facts.js";
import type { NextStep } from "../sentence.js";

/** What a rule has found. */
export interface Finding {
  readonly cause: WaitingCause;
  /** The sentence before the time since when, and behind it; without what happens next. */
  readonly lead: string;
  readonly rest: string;
  readonly awaited: readonly Named[];
  /** Epoch milliseconds. */
  readonly since: number | null;
  readonly next: NextStep | null;
}

/**
 * Says whether its cause holds; null when it does not.
 *
 * @param reasons - whether the text may tell what agents, the store or a fault have said
 */
export type Rule = (facts: WaitingFacts, reasons: boolean) => Finding | null;

/** A finding about nobody in particular, of which it is not known since when it holds. */
export function about(
  cause: WaitingCause,
  sentence: string,
  next: NextStep | null = null,
): Finding {
  return { cause, lead: sentence, rest: "", awaited: [], since: null, next };
}
