import type { Logger } from "@colloquy/protocol";
import type { HubMeters } from "./hub-meters.js";

/** Meters whose faults are logged, and cost a figure and nothing else. */
export function guardMeters(meters: HubMeters, logger: Logger): HubMeters {
  const guarded = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      logger.error({ err: error }, "the meters failed");
    }
  };
  return {
    startCommit(envelopes) {
      let end: ReturnType<HubMeters["startCommit"]> = () => undefined;
      guarded(() => {
        end = meters.startCommit(envelopes);
      });
      return (failed) => guarded(() => end(failed));
    },
    handedOver: (attempt, lagMs) => guarded(() => meters.handedOver(attempt, lagMs)),
    acknowledged: (lagMs) => guarded(() => meters.acknowledged(lagMs)),
    answered: (turnMs) => guarded(() => meters.answered(turnMs)),
  };
}
