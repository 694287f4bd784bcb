import { type Child, startChild } from "../processes/child.js";
import type { MeasurementInput } from "../report/measurement.js";
import type { AdmissionCommands, AdmissionRun } from "../servers/admission-process.js";
import type { Row } from "./row.js";

/** Envelopes at either end of a run that are looked at by themselves. */
const END = 0.1;

/** Posts in the hub's process with the memory store, in one channel whose WAL grows. */
export const admission: Row = {
  id: "admission",
  async run(context) {
    const envelopes = context.quick ? 2_000 : 20_000;
    const child: Child<AdmissionCommands> = startChild(
      new URL("../servers/admission-process.ts", import.meta.url),
      context.flags,
    );
    try {
      const together: AdmissionRun[] = [];
      const alone: AdmissionRun[] = [];
      for (let round = 0; round <= context.rounds; round += 1) {
        context.progress(round === 0 ? "warming up" : `round ${round} of ${context.rounds}`);
        const first = await child.call("admit", { envelopes, inFlight: 64, end: END });
        const second = await child.call("admit", { envelopes, inFlight: 1, end: END });
        if (round === 0) continue;
        together.push(first);
        alone.push(second);
      }
      const title = `admission in process, memory store, WAL growing to ${envelopes}`;
      return [
        describe(`${title}, 64 in flight`, together),
        describe(`${title}, each awaited`, alone),
      ];
    } finally {
      await child.stop();
    }
  },
};

function describe(title: string, runs: readonly AdmissionRun[]): MeasurementInput {
  return {
    title,
    unit: "per second",
    rounds: runs.map((run) => run.perSecond),
    details: [
      ["each", "µs", runs.map((run) => 1e6 / run.perSecond)],
      ["each, first tenth of the WAL", "µs", runs.map((run) => run.firstMicros)],
      ["each, last tenth of the WAL", "µs", runs.map((run) => run.lastMicros)],
    ],
    note: "Gates, fold, hash chain, commit to memory, delivery to one recipient and its receipt included.",
  };
}
