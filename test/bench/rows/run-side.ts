import type { RunOptions } from "../load/run-lanes.js";
import { quantile } from "../report/statistics.js";
import type { Processes } from "./with-processes.js";

/** What one side gave in one round. */
export interface SideRound {
  readonly perSecond: number;
  /** Processor time of the server process per message, in microseconds. */
  readonly serverMicros: number;
  /** Microseconds from sending a message until it had come round. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends messages over a group of lanes, and reads what that cost the server. */
export async function runSide(
  { server, load }: Processes,
  options: RunOptions & { readonly group: string },
): Promise<SideRound> {
  const before = await server.call("usage", { collect: false });
  const { seconds, latencies } = await load.call("runLanes", options);
  const after = await server.call("usage", { collect: false });
  return {
    perSecond: options.messages / seconds,
    serverMicros: (after.cpuMicros - before.cpuMicros) / options.messages,
    p50: quantile([...latencies], 0.5) * 1000,
    p99: quantile([...latencies], 0.99) * 1000,
  };
}
