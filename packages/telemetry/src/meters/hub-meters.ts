import type { HubMeters } from "@colloquy/hub";
import type { SpanClock } from "../spans/span-time.js";
import type { Instruments } from "./instruments.js";

const MS_PER_S = 1_000;

/** Makes the {@link HubMeters} that feed instruments. */
export function createHubMeters(instruments: Instruments, now: SpanClock): HubMeters {
  const { commitDuration, commitSize, deliveryLag, settleLag, redeliveries, turnDuration } =
    instruments;
  return {
    startCommit(envelopes) {
      const startedAt = now();
      return (failed) => {
        const seconds = Math.max(0, now() - startedAt) / MS_PER_S;
        commitDuration.record(seconds, { outcome: failed ? "failed" : "written" });
        if (!failed) commitSize.record(envelopes);
      };
    },
    handedOver(attempt, lagMs) {
      if (attempt > 1) redeliveries.add(1);
      else deliveryLag.record(lagMs / MS_PER_S);
    },
    acknowledged: (lagMs) => settleLag.record(lagMs / MS_PER_S),
    answered: (turnMs) => turnDuration.record(turnMs / MS_PER_S),
  };
}
