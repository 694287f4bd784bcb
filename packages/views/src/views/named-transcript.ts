import type { ViewPolicy } from "@colloquy/protocol";
import { projectLines } from "./project-lines.js";

/** Name of the view that {@link createNamedTranscript} makes. */
export const NAMED_TRANSCRIPT = "named_transcript";

/** Every line of the channel, others' as `[<name>]: <text>`. */
export function createNamedTranscript(): ViewPolicy {
  return {
    name: NAMED_TRANSCRIPT,
    needs: "all",
    project: (slice, context) => projectLines(slice, context, { named: true, last: "all" }),
  };
}
