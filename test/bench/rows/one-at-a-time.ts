import { join } from "node:path";
import { atMost } from "../report/measurement.js";
import { ratios } from "../report/statistics.js";
import { interleave } from "./interleave.js";
import type { Row } from "./row.js";
import { runSide } from "./run-side.js";
import { withProcesses } from "./with-processes.js";

/** Rounds that bring the hub's journal past its first checkpoint, as the echo's already is. */
const WARM_MESSAGES = 8_000;

/** One durable round after the other, beside an echo that does one bare SQLite commit before it answers. */
export const oneAtATime: Row = {
  id: "one-at-a-time",
  run: (context) =>
    withProcesses(context, async (processes) => {
      const { server, load } = processes;
      const messages = context.quick ? 150 : 1_500;
      const url = await server.call("openHub", { path: join(context.folder, "hub.db") });
      const path = join(context.folder, "echo.db");
      const echo = await server.call("listenCommitEcho", { path });
      const wanted = { prefix: "single", lanes: 1, channels: 10 };
      const plans = await server.call("openLanes", wanted);
      await load.call("openHubLanes", { group: "hub", url, plans });
      await load.call("openEchoLanes", { group: "echo", url: echo, plans });
      if (!context.quick) {
        const warm = { group: "hub", messages: WARM_MESSAGES, inFlight: 32 };
        await load.call("runLanes", warm);
      }
      const { left, right } = await interleave(
        context,
        () => runSide(processes, { group: "echo", messages, inFlight: 1 }),
        () => runSide(processes, { group: "hub", messages, inFlight: 1 }),
      );
      const hubs = right.map((round) => round.p50);
      const echoes = left.map((round) => round.p50);
      return [
        {
          title: "durable round ÷ echo with one commit, one at a time, p50",
          unit: "ratio",
          rounds: ratios(hubs, echoes),
          budget: atMost(1.1),
          details: [
            ["hub, p50", "µs", hubs],
            ["echo with one commit, p50", "µs", echoes],
            ["hub, processor of the server per round", "µs", right.map((r) => r.serverMicros)],
            ["echo, the same", "µs", left.map((round) => round.serverMicros)],
          ],
        },
        {
          title: "durable round, one at a time, p99 ÷ p50",
          unit: "ratio",
          rounds: ratios(
            right.map((round) => round.p99),
            hubs,
          ),
          budget: atMost(5),
          details: [
            ["hub, p99", "µs", right.map((round) => round.p99)],
            ["echo with one commit, p99", "µs", left.map((round) => round.p99)],
          ],
        },
      ];
    }),
};
