import type { ViewPolicy } from "@colloquy/protocol";
import { projectLines } from "./project-lines.js";
import { checkRecentN, type WindowArgs } from "./window-args.js";

/** Name of the view that {@link createWindowedSummary} makes. */
export const WINDOWED_SUMMARY = "windowed_summary";

/**
 * The newest `recent_n` lines, others' without labels; what stands before them, if anything does,
 * becomes one summary with the ids of its speakers.
 *
 * @throws TypeError or RangeError when `recent_n` is no whole number of at least 1
 */
export function createWindowedSummary(args: WindowArgs): ViewPolicy {
  const last = checkRecentN(args);
  return {
    name: WINDOWED_SUMMARY,
    needs: { last },
    project: (slice, context) =>
      projectLines(slice, context, { named: false, last, parts: args.parts }),
  };
}
