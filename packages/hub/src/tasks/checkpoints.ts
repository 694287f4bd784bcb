import { AccessDeniedError, StoreError } from "@colloquy/protocol";
import { copyJson, requireSize, toJson } from "../core/json-copy.js";
import { createTurns } from "../core/take-turns.js";
import { findNewest } from "./find-task.js";
import type { TaskWork } from "./task-context.js";
import { checkTaskId } from "./task-id.js";

/** Where a task has got to, as its owner stored it last. */
export type CheckpointState = Readonly<Record<string, unknown>>;

/** Who asks: an agent, or the agents that share a connection. Absent: the trusted program itself. */
export type Asker = string | readonly string[] | undefined;

/** The checkpoints of a hub's tasks. One per task; the newest replaces the former. */
export interface CheckpointBook {
  write(taskId: string, state: CheckpointState, asker: Asker): Promise<void>;
  read(taskId: string, asker: Asker): Promise<CheckpointState | null>;
  /** Who wrote first; null when there is no checkpoint or the program itself wrote it. */
  writersOf(taskId: string): Promise<readonly string[] | null>;
}

interface Checkpoint {
  readonly writers: readonly string[] | null;
  readonly state: CheckpointState;
}

/** True when nobody in particular wrote, or this one is among those who did. */
export function isWriter(writers: readonly string[] | null, agentId: string): boolean {
  return writers === null || writers.includes(agentId);
}

/**
 * Makes the checkpoints of one hub.
 *
 * The task need not have been observed. If it was, only its owner may write and read; if not, those
 * who wrote first. Others get `AccessDeniedError`. A state whose JSON exceeds the limit is
 * `TooLargeError`.
 */
export function createCheckpointBook(work: TaskWork): CheckpointBook {
  const takeTurns = createTurns();
  const find = async (taskId: string): Promise<Checkpoint | null> => {
    checkTaskId(taskId);
    const text = await work.context.store.readRecord("checkpoint", taskId);
    return text === null ? null : parse(text, taskId);
  };
  const requireAccess = async (
    taskId: string,
    found: Checkpoint | null,
    asker: Asker,
  ): Promise<void> => {
    if (asker === undefined) return;
    const owner = (await findNewest(work, taskId))?.owner_id;
    const allowed = owner === undefined ? (found?.writers ?? null) : [owner];
    if (allowed === null || agentsOf(asker).some((agent) => allowed.includes(agent))) return;
    throw new AccessDeniedError(`task ${taskId} belongs to another owner`);
  };

  return {
    writersOf: async (taskId) => (await find(taskId))?.writers ?? null,
    async read(taskId, asker) {
      const found = await find(taskId);
      await requireAccess(taskId, found, asker);
      return found === null ? null : found.state;
    },
    async write(taskId, state, asker) {
      const copy = copyJson(state, "state");
      const maxBytes = work.context.limits.maxCheckpointBytes;
      requireSize(toJson(copy, "state"), maxBytes, `the checkpoint of task ${taskId}`);
      await takeTurns(taskId, async () => {
        const found = await find(taskId);
        await requireAccess(taskId, found, asker);
        const writers = found?.writers ?? (asker === undefined ? null : agentsOf(asker));
        const checkpoint: Checkpoint = { writers, state: copy };
        const value = JSON.stringify(checkpoint);
        await work.context.committer.stage({
          records: [{ kind: "checkpoint", id: taskId, value }],
        });
      });
    },
  };
}

function agentsOf(asker: string | readonly string[]): readonly string[] {
  return typeof asker === "string" ? [asker] : asker;
}

function parse(text: string, taskId: string): Checkpoint {
  try {
    return JSON.parse(text) as Checkpoint;
  } catch (error) {
    throw new StoreError(`the checkpoint of task ${taskId} cannot be read`, { cause: error });
  }
}
