import { join } from "node:path";
import { fillTurns } from "../data/fill-turns.js";
import { startChild } from "../processes/child.js";
import { atMost } from "../report/measurement.js";
import { ratios } from "../report/statistics.js";
import type { TurnCommands } from "../servers/turn-process.js";
import { interleave } from "./interleave.js";
import type { Row } from "./row.js";

const LAST = 20;
const SHORT = 100;

/** Everything that a turn needs, and the view over it, in a long and in a short channel of one store. */
export const turnPreparation: Row = {
  id: "turn-preparation",
  async run(context) {
    const long = context.quick ? 10_000 : 100_000;
    const times = context.quick ? 100 : 1_000;
    const path = join(context.folder, "turns.db");
    context.progress(`filling a channel with ${long} envelopes`);
    const [longChannel, shortChannel] = await fillTurns(path, [long, SHORT]);
    if (longChannel === undefined || shortChannel === undefined) throw new Error("no channels");
    const script = new URL("../servers/turn-process.ts", import.meta.url);
    const child = startChild<TurnCommands>(script, context.flags);
    try {
      await child.call("open", path);
      const { left, right } = await interleave(
        context,
        () => child.call("prepare", { ...shortChannel, times, last: LAST }),
        () => child.call("prepare", { ...longChannel, times, last: LAST }),
      );
      return [
        {
          title: `turn preparation (view of the last ${LAST}), channel of ${long} ÷ channel of ${SHORT}`,
          unit: "ratio",
          rounds: ratios(right, left),
          budget: atMost(1.2),
          details: [
            [`in a channel of ${long}`, "µs", right],
            [`in a channel of ${SHORT}`, "µs", left],
          ],
          note: "In the hub's process; the pages read are in SQLite's cache after the first time.",
        },
      ];
    } finally {
      await child.stop();
    }
  },
};
