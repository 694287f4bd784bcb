import { isTerminalTaskState, type RecordWrite, type StoredRecord } from "@colloquy/protocol";
import { armExpiry } from "./save-task.js";
import type { TaskWork } from "./task-context.js";
import { isUnindexed, parseStoredTask, type StoredTask, writesFor } from "./task-records.js";

/**
 * Takes up the tasks of a start in the order in which they were observed, and sets the deadlines of
 * those that have not ended. One that cannot be read is logged and left out. Records from before
 * tasks had indexes get theirs; those of tasks that have ended leave what a start reads.
 */
export function restoreTasks(work: TaskWork, records: readonly StoredRecord[]): void {
  const found = records
    .filter(({ kind }) => kind === "task")
    .flatMap((record) => read(work, record))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const writes: RecordWrite[] = [];
  for (const { task, order, isOld } of found) {
    work.tasks.restore(task, order);
    armExpiry(work, task);
    if (!isOld) continue;
    writes.push(...writesFor(task, order, undefined));
    if (isTerminalTaskState(task.state)) {
      writes.push({ kind: "task", id: task.task_id, value: null });
    }
  }
  if (writes.length === 0) return;
  const { committer, logger } = work.context;
  committer.stage({ records: writes }).catch((error: unknown) => {
    logger.warn({ err: error }, "older tasks could not be indexed; the next start tries again");
  });
}

function read(
  work: TaskWork,
  { id, value }: StoredRecord,
): (StoredTask & { readonly isOld: boolean })[] {
  try {
    return [{ ...parseStoredTask(value), isOld: isUnindexed(value) }];
  } catch {
    work.context.logger.error({ record: `task ${id}` }, "a stored record cannot be read");
    return [];
  }
}
