import { formatTimestamp } from "@colloquy/protocol";
import { earliestDue, type JudgedEntry } from "./judge.js";
import type { NextExpectation } from "./next-expectation.js";

/** The first of what is due earliest; null when nothing is open. */
export function nextOf(judged: readonly JudgedEntry[]): NextExpectation | null {
  const due = earliestDue(judged);
  if (due > MAX_EPOCH_MS) return null;
  for (const { entry, open } of judged) {
    const first = open.filter((condition) => condition.due === due);
    const [one] = first;
    if (one === undefined) continue;
    return {
      expectation: entry.expectation,
      violator_ids: first.flatMap(({ violator }) => (violator === null ? [] : [violator])),
      since: formatTimestamp(one.since[1]),
      position: one.since[0],
      due_at: formatTimestamp(due),
    };
  }
  return null;
}

/** Newest instant that a timestamp can say; what is due later is due never. */
const MAX_EPOCH_MS = 8.64e15;
