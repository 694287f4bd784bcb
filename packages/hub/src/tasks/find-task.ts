import { StoreError, type TaskMetadata } from "@colloquy/protocol";
import { freezeDeep } from "../core/freeze.js";
import type { TaskWork } from "./task-context.js";
import { checkTaskId } from "./task-id.js";
import { parseStoredTask, type StoredTask } from "./task-records.js";

/** A task as the next change builds upon it, in memory or among those that have ended; null for none. */
export async function findNewest(work: TaskWork, taskId: string): Promise<TaskMetadata | null> {
  return work.tasks.newest(taskId) ?? (await readEnded(work, taskId))?.task ?? null;
}

/** A task as it may be shown; null for none. */
export async function findDurable(work: TaskWork, taskId: string): Promise<TaskMetadata | null> {
  return work.tasks.durable(taskId) ?? (await readEnded(work, taskId))?.task ?? null;
}

/** A task that has ended, as the store has it; null for none. */
export async function readEnded(work: TaskWork, taskId: string): Promise<StoredTask | null> {
  checkTaskId(taskId);
  const text = await work.context.store.readRecord("ended_task", taskId);
  if (text === null) return null;
  try {
    const { task, order } = parseStoredTask(text);
    return { task: freezeDeep(task), order };
  } catch (error) {
    throw new StoreError(`the record of task ${taskId} cannot be read`, { cause: error });
  }
}
