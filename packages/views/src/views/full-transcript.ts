import type { ViewPolicy } from "@colloquy/protocol";
import { projectLines } from "./project-lines.js";
import type { TranscriptArgs } from "./window-args.js";

/** Name of the view that {@link createFullTranscript} makes. */
export const FULL_TRANSCRIPT = "full_transcript";

/** Every line of the channel, others' without labels: for two who talk to each other. */
export function createFullTranscript({ parts }: TranscriptArgs = {}): ViewPolicy {
  return {
    name: FULL_TRANSCRIPT,
    needs: "all",
    project: (slice, context) => projectLines(slice, context, { named: false, last: "all", parts }),
  };
}
