import type { LoadCommands } from "../load/load-process.js";
import { type Child, startChild } from "../processes/child.js";
import type { ServerCommands } from "../servers/server-process.js";
import type { RowContext } from "./row.js";

type Flags = Pick<RowContext, "flags">;

/** The two processes of most rows: one serves, one makes the load. */
export interface Processes {
  readonly server: Child<ServerCommands>;
  readonly load: Child<LoadCommands>;
}

/** Starts the process that serves, hands it to `work`, and ends it whatever happens. */
export async function withServer<T>(
  { flags }: Flags,
  work: (server: Child<ServerCommands>) => Promise<T>,
): Promise<T> {
  const script = new URL("../servers/server-process.ts", import.meta.url);
  const server = startChild<ServerCommands>(script, ["--expose-gc", ...flags]);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Starts both processes, hands them to `work`, and ends them whatever happens. */
export function withProcesses<T>(
  flags: Flags,
  work: (processes: Processes) => Promise<T>,
): Promise<T> {
  return withServer(flags, async (server) => {
    const load = startChild<LoadCommands>(new URL("../load/load-process.ts", import.meta.url));
    try {
      return await work({ server, load });
    } finally {
      await load.stop();
    }
  });
}
