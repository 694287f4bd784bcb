import {
  AccessDeniedError,
  formatTimestamp,
  isTerminalTaskState,
  parseDuration,
  parseWith,
  type Rule,
  type TaskMetadata,
  taskMetadataSchema,
} from "@colloquy/protocol";
import { copyJson, requireSize, toJson } from "../core/json-copy.js";
import { decide } from "../policy/decide.js";
import { type CheckpointBook, isWriter } from "./checkpoints.js";
import { readEnded } from "./find-task.js";
import { mergeObserved } from "./merge-task.js";
import { saveTask } from "./save-task.js";
import type { TaskWork } from "./task-context.js";
import { checkTaskId } from "./task-id.js";

/**
 * Makes a task known, or brings what is known of it up to date.
 *
 * A known task belongs to its owner and a final state stays: later reports change nothing. A new
 * one must pass the arbiter (`limits.max_concurrent_tasks`), and without a deadline of its own it gets
 * one from its owner's `limits.task_ttl_default`; neither if its owner is not registered.
 */
export async function observeTask(
  work: TaskWork,
  checkpoints: CheckpointBook,
  input: TaskMetadata,
): Promise<void> {
  const seen = copyJson(parseWith(taskMetadataSchema, input, "task"), "task");
  checkTaskId(seen.task_id);
  if (work.tasks.newest(seen.task_id) === undefined) {
    const writers = await checkpoints.writersOf(seen.task_id);
    if (!isWriter(writers, seen.owner_id)) throw foreignTask(seen.task_id);
    const ended = await readEnded(work, seen.task_id);
    if (ended !== null) return requireOwner(ended.task, seen);
  }
  const known = work.tasks.newest(seen.task_id);
  if (known === undefined) return observeNew(work, seen);
  requireOwner(known, seen);
  if (isTerminalTaskState(known.state)) return;
  await saveBounded(work, mergeObserved(known, seen, formatTimestamp(work.context.clock.now())));
}

async function observeNew(work: TaskWork, seen: TaskMetadata): Promise<void> {
  const { agents, arbiter, clock } = work.context;
  const ends = isTerminalTaskState(seen.state);
  const owner = agents.get(seen.owner_id);
  if (owner && !ends) {
    const openTasks = work.tasks.countOpen(owner.id);
    decide(arbiter.authorizeTask({ task: seen, owner, openTasks }));
  }
  const now = clock.now();
  await saveBounded(work, {
    ...seen,
    completed_at: seen.completed_at ?? (ends ? formatTimestamp(now) : null),
    expires_at: seen.expires_at ?? (owner && !ends ? defaultExpiry(owner.rule, now) : null),
  });
}

/** When a task ends that brings no deadline of its own; null for a default of 0 or less, which is without end. */
function defaultExpiry({ limits }: Rule, now: number): string | null {
  const seconds = parseDuration(limits.task_ttl_default);
  return seconds <= 0 ? null : formatTimestamp(now + seconds * 1_000);
}

/** {@link saveTask} for what an owner reports: its record may not outgrow the limit. */
export async function saveBounded(work: TaskWork, task: TaskMetadata): Promise<void> {
  const maxBytes = work.context.limits.maxCheckpointBytes;
  requireSize(toJson(task, "task"), maxBytes, `the record of task ${task.task_id}`);
  await saveTask(work, task);
}

function requireOwner(known: TaskMetadata, seen: TaskMetadata): void {
  if (known.owner_id !== seen.owner_id) throw foreignTask(seen.task_id);
}

function foreignTask(taskId: string): AccessDeniedError {
  return new AccessDeniedError(`task ${taskId} belongs to another owner`);
}
