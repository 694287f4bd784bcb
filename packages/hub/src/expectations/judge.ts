import type { LiveChannel } from "../live/live-channel.js";
import type { OpenCondition } from "./evaluator.js";
import { viewFacts } from "./facts/view-facts.js";
import { isMarked, type Marks } from "./fired-marks.js";
import type { PlanEntry } from "./plan.js";
import { appliesTo } from "./registry.js";
import type { Watch } from "./watch.js";

/** What an expectation of a channel has open. */
export interface JudgedEntry {
  readonly entry: PlanEntry;
  /** Those whose violation has not fired. */
  readonly open: readonly OpenCondition[];
  /** Those whose violation has fired and that nothing has ended. */
  readonly fired: readonly OpenCondition[];
}

/** What {@link judge} looks at beside the channel. */
export interface JudgedBy {
  readonly marks: Marks;
  nameFor(agentId: string): string;
  /** Hears of an evaluator that threw; its expectation counts as kept for now. */
  onFault(entry: PlanEntry, error: unknown): void;
}

/** Asks every evaluator of a channel what is open. */
export function judge(live: LiveChannel, watch: Watch, by: JudgedBy): JudgedEntry[] {
  const facts = viewFacts(live, watch);
  return watch.plan.entries.map((entry) => {
    const { expectation, evaluator, index } = entry;
    const open: OpenCondition[] = [];
    const fired: OpenCondition[] = [];
    try {
      for (const condition of evaluator.conditions(expectation, facts)) {
        const { violator } = condition;
        const applies =
          violator === null || appliesTo(expectation, facts.channel, violator, by.nameFor);
        if (!applies) continue;
        (isMarked(by.marks, index, condition) ? fired : open).push(condition);
      }
    } catch (error) {
      by.onFault(entry, error);
      return { entry, open: [], fired: [] };
    }
    return { entry, open, fired };
  });
}

/** The earliest instant at which one of these is due; infinite for none. */
export function earliestDue(judged: readonly JudgedEntry[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { open } of judged) {
    for (const { due } of open) earliest = Math.min(earliest, Number.isNaN(due) ? Infinity : due);
  }
  return earliest;
}
