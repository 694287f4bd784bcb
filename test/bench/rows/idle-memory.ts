import { join } from "node:path";
import type { Child } from "../processes/child.js";
import type { Usage } from "../processes/usage.js";
import { atMost, type MeasurementInput } from "../report/measurement.js";
import type { ServerCommands } from "../servers/server-process.js";
import type { Row, RowContext } from "./row.js";
import { withProcesses, withServer } from "./with-processes.js";

const KIB = 1024;

interface Growth {
  readonly resident: number;
  readonly heap: number;
}

/** Memory that an idle open channel and an idle connection hold, each in a fresh process per round. */
export const idleMemory: Row = {
  id: "idle-memory",
  async run(context) {
    const channels = context.quick ? 500 : 10_000;
    const connections = context.quick ? 100 : 2_000;
    const perChannel: Growth[] = [];
    const perConnection: Growth[] = [];
    for (let round = 1; round <= context.rounds; round += 1) {
      context.progress(`round ${round} of ${context.rounds}`);
      perChannel.push(await measureChannels(context, round, channels));
      perConnection.push(await measureConnections(context, round, connections));
    }
    return [
      describe(`an idle open channel of two (${channels} of them)`, perChannel, 4 * KIB),
      describe(`an idle connection (${connections} of them)`, perConnection, 32 * KIB),
    ];
  },
};

function measureChannels(context: RowContext, round: number, count: number): Promise<Growth> {
  return withServer(context, async (server) => {
    await server.call("openHub", { path: join(context.folder, `channels-${round}.db`) });
    await server.call("openIdleChannels", { count: WARM_UP, prefix: "first" });
    return await growth(server, count, () =>
      server.call("openIdleChannels", { count, prefix: "second" }),
    );
  });
}

/** So many of each come before what is measured, so that code and caches are not counted. */
const WARM_UP = 100;

function measureConnections(context: RowContext, round: number, count: number): Promise<Growth> {
  return withProcesses(context, async ({ server, load }) => {
    const path = join(context.folder, `connections-${round}.db`);
    const url = await server.call("openHub", { path });
    const names = await server.call("registerIdle", count + WARM_UP);
    await load.call("openIdle", { url, names: names.slice(0, WARM_UP) });
    return await growth(server, count, () =>
      load.call("openIdle", { url, names: names.slice(WARM_UP) }),
    );
  });
}

async function growth(
  server: Child<ServerCommands>,
  count: number,
  work: () => Promise<void>,
): Promise<Growth> {
  const before: Usage = await server.call("usage", { collect: true });
  await work();
  const after: Usage = await server.call("usage", { collect: true });
  return {
    resident: (after.residentBytes - before.residentBytes) / count,
    heap: (after.heapBytes - before.heapBytes) / count,
  };
}

function describe(title: string, rounds: readonly Growth[], budget: number): MeasurementInput {
  return {
    title: `memory of ${title}`,
    unit: "bytes",
    rounds: rounds.map(({ heap }) => heap),
    budget: atMost(budget),
    details: [["growth of the process", "bytes", rounds.map(({ resident }) => resident)]],
    note: "JavaScript heap and what it holds outside, after collection; the process's growth includes what the allocator keeps.",
  };
}
