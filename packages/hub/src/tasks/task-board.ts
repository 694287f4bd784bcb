import {
  formatTimestamp,
  isTerminalTaskState,
  NotFoundError,
  parseWith,
  type StoredRecord,
  type TaskMetadata,
  taskStateSchema,
} from "@colloquy/protocol";
import { copyJson } from "../core/json-copy.js";
import { type Asker, type CheckpointState, createCheckpointBook } from "./checkpoints.js";
import { findDurable, findNewest } from "./find-task.js";
import { listTasks, type TaskFilter } from "./list-tasks.js";
import { mergeChange, type TaskChange } from "./merge-task.js";
import { observeTask, saveBounded } from "./observe-task.js";
import { restoreTasks } from "./restore-tasks.js";
import { endTask } from "./save-task.js";
import type { TaskContext, TaskWork } from "./task-context.js";
import { checkTaskId } from "./task-id.js";
import { createTaskTable } from "./task-table.js";

/**
 * What can be done with tasks, which agents run and the hub observes.
 *
 * Changes are durable when their promise resolves, and visible from then on; nothing leaves a final
 * state. Results are copies. A task id that breaks the rule for them is `ProtocolError`.
 */
export interface TaskVerbs {
  /** Throws `AccessDeniedError` for another owner's task and over the owner's cap. */
  observeTask(task: TaskMetadata): Promise<void>;
  /** Throws `NotFoundError`; does nothing to a task that has ended. */
  updateTask(taskId: string, change: TaskChange): Promise<void>;
  /** Throws `NotFoundError`. */
  getTask(taskId: string): Promise<TaskMetadata>;
  /** Throws `NotFoundError` when `after` names an unknown task. */
  listTasks(filter?: TaskFilter): Promise<readonly TaskMetadata[]>;
  /** Tells listeners; nothing is stored. The task need not be known. */
  fireTaskEvent(
    taskId: string,
    kind: string,
    payload?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Stores where a task has got to. See `createCheckpointBook` for who may. */
  checkpointTask(taskId: string, state: CheckpointState, asker?: Asker): Promise<void>;
  /** Null when there is none. */
  readTaskCheckpoint(taskId: string, asker?: Asker): Promise<CheckpointState | null>;

  /**
   * Ends the tasks of a channel that ends, as expired with the error `channel_closed`. Called in the
   * same turn of the loop as the channel's end is staged, it shares its commit, and its failure.
   */
  endTasksOf(channelId: string): void;
  /** Takes up the records of a start; to be called once, before anything else. */
  restore(records: readonly StoredRecord[]): void;
}

/** Makes the task verbs of one hub. Tasks expire through the context's deadlines. */
export function createTaskBoard(context: TaskContext): TaskVerbs {
  const work: TaskWork = { context, tasks: createTaskTable(context.limits.endedTasksInMemory) };
  const checkpoints = createCheckpointBook(work);
  const requireTask = (taskId: string, task: TaskMetadata | null): TaskMetadata => {
    if (task !== null) return task;
    throw new NotFoundError(`task not found: ${taskId}`);
  };
  return {
    observeTask: (task) => observeTask(work, checkpoints, task),
    async updateTask(taskId, change) {
      const checked = checkChange(change);
      const task = work.tasks.newest(taskId) ?? requireTask(taskId, await findNewest(work, taskId));
      if (isTerminalTaskState(task.state)) return;
      await saveBounded(work, mergeChange(task, checked, formatTimestamp(context.clock.now())));
    },
    getTask: async (taskId) => requireTask(taskId, await findDurable(work, taskId)),
    listTasks: (filter) => listTasks(work, filter),
    async fireTaskEvent(taskId, kind, payload = {}) {
      checkTaskId(taskId);
      context.listeners.emit("onTaskEvent", taskId, kind, payload);
    },
    checkpointTask: (taskId, state, asker) => checkpoints.write(taskId, state, asker),
    readTaskCheckpoint: (taskId, asker) => checkpoints.read(taskId, asker),
    endTasksOf(channelId) {
      for (const taskId of work.tasks.openIn(channelId)) endTask(work, taskId, "channel_closed");
    },
    restore: (records) => restoreTasks(work, records),
  };
}

/** A copy of a change, so that the caller's later changes do not reach the board. */
function checkChange(change: TaskChange): TaskChange {
  const copy = copyJson(change, "change");
  return copy.state ? { ...copy, state: parseWith(taskStateSchema, copy.state, "state") } : copy;
}
