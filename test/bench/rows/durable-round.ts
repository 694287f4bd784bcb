import { join } from "node:path";
import { atLeast, type MeasurementInput } from "../report/measurement.js";
import { ratios } from "../report/statistics.js";
import { interleave } from "./interleave.js";
import type { Row, RowContext } from "./row.js";
import { runSide } from "./run-side.js";
import { withProcesses } from "./with-processes.js";

interface Shape {
  readonly title: string;
  readonly lanes: number;
  readonly inFlight: number;
  /** Conversations per connection. */
  readonly channels: number;
  readonly messages: number;
  readonly isBudgeted: boolean;
}

/** Post → committed → answered → notified over WebSocket, beside a bare `ws` echo of the same message. */
export const durableRound: Row = {
  id: "durable-round",
  async run(context) {
    const messages = context.quick ? 1_500 : 15_000;
    return [
      await measure(context, {
        title: "durable round ÷ bare echo, 1 connection × 64 in flight",
        lanes: 1,
        inFlight: 64,
        channels: 100,
        messages,
        isBudgeted: true,
      }),
      await measure(context, {
        title: "durable round ÷ bare echo, 64 connections × 1 in flight",
        lanes: 64,
        inFlight: 1,
        channels: 2,
        messages,
        isBudgeted: false,
      }),
    ];
  },
};

function measure(context: RowContext, shape: Shape): Promise<MeasurementInput> {
  const { title, lanes, channels, messages, inFlight, isBudgeted } = shape;
  return withProcesses(context, async (processes) => {
    const { server, load } = processes;
    const path = join(context.folder, `${lanes}.db`);
    const url = await server.call("openHub", { path });
    const echo = await server.call("listenEcho", undefined);
    const plans = await server.call("openLanes", { prefix: "round", lanes, channels });
    await load.call("openHubLanes", { group: "hub", url, plans });
    await load.call("openEchoLanes", { group: "echo", url: echo, plans });
    const { left, right } = await interleave(
      context,
      () => runSide(processes, { group: "echo", messages, inFlight }),
      () => runSide(processes, { group: "hub", messages, inFlight }),
    );
    const hubs = right.map((round) => round.perSecond);
    const echoes = left.map((round) => round.perSecond);
    return {
      title,
      unit: "ratio",
      rounds: ratios(hubs, echoes),
      ...(isBudgeted ? { budget: atLeast(0.35) } : {}),
      details: [
        ["hub", "per second", hubs],
        ["echo", "per second", echoes],
        ["hub, processor of the server per round", "µs", right.map((round) => round.serverMicros)],
        ["echo, the same", "µs", left.map((round) => round.serverMicros)],
        ["hub, median latency", "µs", right.map((round) => round.p50)],
      ],
    };
  });
}
