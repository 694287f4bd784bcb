import type { Expectation } from "@colloquy/protocol";
import type { ExpectationEvaluator, FactPart } from "./evaluator.js";

/** One expectation of a channel with what judges it. */
export interface PlanEntry {
  /** Its place among the channel's expectations, which never changes: fired marks go by it. */
  readonly index: number;
  readonly expectation: Expectation;
  readonly evaluator: ExpectationEvaluator;
}

/** How a channel's expectations are watched. Channels that expect the same share one. */
export interface WatchPlan {
  readonly entries: readonly PlanEntry[];
  readonly needs: ReadonlySet<FactPart>;
  /** Milliseconds after an envelope before which nothing that it begins is violated. */
  readonly leastMs: number;
  /** What is expected and has nothing behind it, in sentences. */
  readonly unwatched: readonly string[];
}

/** Puts entries into a plan. */
export function makePlan(entries: readonly PlanEntry[], unwatched: readonly string[]): WatchPlan {
  const needs = new Set<FactPart>();
  let leastMs = Number.POSITIVE_INFINITY;
  for (const { evaluator, expectation } of entries) {
    for (const part of evaluator.needs(expectation)) needs.add(part);
    leastMs = Math.min(leastMs, evaluator.leastMs?.(expectation) ?? 0);
  }
  return { entries, needs, leastMs, unwatched };
}
