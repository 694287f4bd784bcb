import { type Envelope, parseTraceparent } from "@colloquy/protocol";
import type { TurnTrace } from "../agent/agent.js";

/** Makes the {@link TurnTrace} of a turn that is about to begin. */
export function createTurnTrace({ trace_id }: Pick<Envelope, "trace_id">): TurnTrace {
  let carried = trace_id;
  return {
    cause: parseTraceparent(trace_id),
    get traceparent() {
      return carried;
    },
    carry(traceparent) {
      carried = traceparent;
    },
  };
}
