import type { OpenCondition } from "./evaluator.js";
import { markKey } from "./fired-marks.js";
import type { Violation } from "./handler.js";
import type { JudgedEntry } from "./judge.js";
import type { PlanEntry } from "./plan.js";

/** What fires for one expectation at one instant: one violation, whoever has a part in it. */
export interface DueViolation {
  readonly entry: PlanEntry;
  readonly conditions: readonly OpenCondition[];
  readonly violation: Violation;
}

/** Everything that is violated by now, in the order of the channel's expectations. */
export function dueViolations(judged: readonly JudgedEntry[], now: number): DueViolation[] {
  return judged.flatMap(({ entry, open }) => {
    const conditions = open.filter(({ due }) => due <= now);
    return conditions.length === 0 ? [] : [describe(entry, conditions, now)];
  });
}

/** The marks once these have fired. Marks of conditions that something has ended are dropped. */
export function marksAfter(
  judged: readonly JudgedEntry[],
  due: readonly DueViolation[],
): Map<string, number> {
  const marks = new Map<string, number>();
  const mark = ({ index }: PlanEntry, conditions: readonly OpenCondition[]): void => {
    for (const condition of conditions) marks.set(markKey(index, condition), condition.since[0]);
  };
  for (const { entry, fired } of judged) mark(entry, fired);
  for (const { entry, conditions } of due) mark(entry, conditions);
  return marks;
}

function describe(
  entry: PlanEntry,
  conditions: readonly OpenCondition[],
  now: number,
): DueViolation {
  const { expectation } = entry;
  const oldest = conditions.reduce((a, b) => (b.since[1] < a.since[1] ? b : a));
  const detail = {
    ...oldest.detail,
    elapsed_seconds: (now - oldest.since[1]) / 1_000,
    threshold_seconds: (oldest.due - oldest.since[1]) / 1_000,
  };
  const violator_ids = conditions.flatMap(({ violator }) => (violator === null ? [] : [violator]));
  return { entry, conditions, violation: { expectation, violator_ids, detail } };
}
