import {
  formatTimestamp,
  isTerminalTaskState,
  parseTimestamp,
  type TaskMetadata,
} from "@colloquy/protocol";
import { stageRecords } from "../registry/stage-records.js";
import { mergeChange } from "./merge-task.js";
import type { TaskWork } from "./task-context.js";
import { writesFor } from "./task-records.js";

/** Milliseconds until the expiry of a task whose commit failed is tried again. */
const RETRY_MS = 5_000;

/**
 * Makes a task durable, then visible, then known to listeners if it has just ended.
 *
 * @throws StoreError when it cannot be stored
 */
export async function saveTask(work: TaskWork, task: TaskMetadata): Promise<void> {
  const { context, tasks } = work;
  const former = tasks.newest(task.task_id);
  const ends = isTerminalTaskState(task.state) && !(former && isTerminalTaskState(former.state));
  const order = tasks.orderOf(task.task_id) ?? context.ids.next();
  tasks.stage(task, order);
  await stageRecords(context.committer, writesFor(task, order, former), {
    onCommitted() {
      tasks.confirm(task);
      armExpiry(work, task);
      if (ends) context.listeners.emit("onTaskEvent", task.task_id, task.state, endOf(task));
    },
    onUndone: () => tasks.undo(task),
  });
}

function endOf(task: TaskMetadata): Readonly<Record<string, unknown>> {
  const { owner_id, channel_id, error, spec, state, started_at, completed_at } = task;
  const { capability } = spec;
  const at = completed_at;
  return { owner_id, channel_id, reason: error, capability, outcome: state, started_at, at };
}

/** When a task expires, in epoch milliseconds; null for never. */
function expiryOf({ expires_at, state }: TaskMetadata): number | null {
  if (expires_at === null || isTerminalTaskState(state)) return null;
  return parseTimestamp(expires_at);
}

/** Sets or clears the deadline of a task as it now stands. */
export function armExpiry(work: TaskWork, task: TaskMetadata): void {
  const key = `task:${task.task_id}`;
  const dueAt = expiryOf(task);
  if (dueAt === null) work.context.deadlines.clear(key);
  else work.context.deadlines.set(key, dueAt, () => expire(work, task.task_id));
}

function expire(work: TaskWork, taskId: string): void {
  const task = work.tasks.newest(taskId);
  const dueAt = task === undefined ? null : expiryOf(task);
  if (task === undefined || dueAt === null) return;
  if (dueAt > work.context.clock.now()) armExpiry(work, task);
  else {
    const { clock, deadlines } = work.context;
    const again = (): void => expire(work, taskId);
    endTask(work, taskId, "ttl_expired", () => {
      deadlines.set(`task:${taskId}`, clock.now() + RETRY_MS, again);
    });
  }
}

/**
 * Ends a task as expired, unless it has ended. Returns as soon as that is staged; a failed commit
 * is logged.
 *
 * @param reason - becomes the task's error
 * @param onFailed - called when it was not stored
 */
export function endTask(
  work: TaskWork,
  taskId: string,
  reason: string,
  onFailed: () => void = () => undefined,
): void {
  const { clock, logger } = work.context;
  const task = work.tasks.newest(taskId);
  if (task === undefined || isTerminalTaskState(task.state)) return;
  const at = formatTimestamp(clock.now());
  const ended = mergeChange(task, { state: "expired", error: reason }, at);
  saveTask(work, ended).catch((error: unknown) => {
    const fault = error instanceof Error ? error.message : String(error);
    logger.warn({ task_id: taskId, reason, fault }, "a task could not be ended");
    onFailed();
  });
}
