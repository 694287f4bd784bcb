import type { Meter } from "@opentelemetry/api";
import { ATTR } from "../spans/attributes.js";
import { systemSpanClock } from "../spans/span-time.js";

/** Seconds, as the conventions for generative AI name them. */
const BOUNDS_S = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/** Times what agents do. */
export interface TurnTimer {
  /** Begins; what it returns ends it, with the class of the error or null. */
  start(operation: string): (errorClass: string | null) => void;
}

/** Makes the timer behind `gen_ai.client.operation.duration`. */
export function createTurnTimer(meter: Meter): TurnTimer {
  const duration = meter.createHistogram("gen_ai.client.operation.duration", {
    unit: "s",
    description: "Time of one operation of an agent: a turn or a call of a model.",
    advice: { explicitBucketBoundaries: BOUNDS_S },
  });
  return {
    start(operation) {
      const startedAt = systemSpanClock();
      return (errorClass) => {
        const seconds = (systemSpanClock() - startedAt) / 1_000;
        duration.record(seconds, {
          [ATTR.genAiOperation]: operation,
          ...(errorClass === null ? {} : { [ATTR.errorClass]: errorClass }),
        });
      };
    },
  };
}
