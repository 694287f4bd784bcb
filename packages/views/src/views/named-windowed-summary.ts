import type { ViewPolicy } from "@colloquy/protocol";
import { projectLines } from "./project-lines.js";
import { checkRecentN, type WindowArgs } from "./window-args.js";

/** Name of the view that {@link createNamedWindowedSummary} makes. */
export const NAMED_WINDOWED_SUMMARY = "named_windowed_summary";

/**
 * The newest `recent_n` lines, others' as `[<name>]: <text>`; what stands before them, if anything
 * does, becomes one summary with the names of its speakers.
 *
 * @throws TypeError or RangeError when `recent_n` is no whole number of at least 1
 */
export function createNamedWindowedSummary(args: WindowArgs): ViewPolicy {
  const last = checkRecentN(args);
  return {
    name: NAMED_WINDOWED_SUMMARY,
    needs: { last },
    project: (slice, context) =>
      projectLines(slice, context, { named: true, last, parts: args.parts }),
  };
}
