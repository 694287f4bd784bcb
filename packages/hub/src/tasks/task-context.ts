import type { Clock, IdSource, Logger, Store } from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";
import type { Listeners } from "../observe/hub-listener.js";
import type { Arbiter } from "../policy/arbiter.js";
import type { AgentTable } from "../registry/agent-table.js";
import type { TaskTable } from "./task-table.js";

/** What the task verbs work on; a hub's context is one. */
export interface TaskContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Pick<IdSource, "next">;
  readonly store: Pick<Store, "readRecord" | "listRecords">;
  readonly committer: Pick<Committer, "stage">;
  readonly agents: Pick<AgentTable, "get">;
  readonly arbiter: Pick<Arbiter, "authorizeTask">;
  readonly listeners: Pick<Listeners, "emit">;
  readonly deadlines: {
    set(key: string, atEpochMs: number, run: () => void): void;
    clear(key: string): void;
  };
  readonly limits: { readonly maxCheckpointBytes: number; readonly endedTasksInMemory: number };
}

/** The task verbs' ground: the hub's parts and the tasks that it knows. */
export interface TaskWork {
  readonly context: TaskContext;
  readonly tasks: TaskTable;
}
