import type { ViewPolicy } from "@colloquy/protocol";
import { projectLines } from "./project-lines.js";
import type { TranscriptArgs } from "./window-args.js";

/** Name of the view that {@link createNamedTranscript} makes. */
export const NAMED_TRANSCRIPT = "named_transcript";

/** Every line of the channel, others' as `[<name>]: <text>`. */
export function createNamedTranscript({ parts }: TranscriptArgs = {}): ViewPolicy {
  return {
    name: NAMED_TRANSCRIPT,
    needs: "all",
    project: (slice, context) => projectLines(slice, context, { named: true, last: "all", parts }),
  };
}
