import type { LoadCommands } from "../load/load-process.js";
import { type Child, startChild } from "../processes/child.js";
import type { ServerCommands } from "../servers/server-process.js";
import type { RowContext } from "./row.js";

/** The two processes of most rows: one serves, one makes the load. */
export interface Processes {
  readonly server: Child<ServerCommands>;
  readonly load: Child<LoadCommands>;
}

/** Starts both processes, hands them to `work`, and ends them whatever happens. */
export async function withProcesses<T>(
  { flags }: Pick<RowContext, "flags">,
  work: (processes: Processes) => Promise<T>,
): Promise<T> {
  const server = startChild<ServerCommands>(
    new URL("../servers/server-process.ts", import.meta.url),
    ["--expose-gc", ...flags],
  );
  const load = startChild<LoadCommands>(new URL("../load/load-process.ts", import.meta.url));
  try {
    return await work({ server, load });
  } finally {
    await Promise.all([load.stop(), server.stop()]);
  }
}
