import { type StoredRecord, type TaskMetadata, taskMetadataSchema } from "@colloquy/protocol";
import { armExpiry } from "./save-task.js";
import type { TaskWork } from "./task-context.js";

/**
 * Takes up the tasks of a start in the order in which they were observed, and sets the deadlines of
 * those that have not ended. One that cannot be read is logged and left out.
 */
export function restoreTasks(work: TaskWork, records: readonly StoredRecord[]): void {
  const found = records
    .filter(({ kind }) => kind === "task")
    .flatMap((record) => read(work, record))
    .sort((a, b) => a.order - b.order);
  for (const { task, order } of found) {
    work.tasks.restore(task, order);
    armExpiry(work, task);
  }
}

function read(
  work: TaskWork,
  { id, value }: StoredRecord,
): { task: TaskMetadata; order: number }[] {
  try {
    const stored: unknown = JSON.parse(value);
    const { observed_order } = stored as { observed_order?: unknown };
    const order = typeof observed_order === "number" ? observed_order : 0;
    return [{ task: taskMetadataSchema.parse(stored), order }];
  } catch {
    work.context.logger.error({ record: `task ${id}` }, "a stored record cannot be read");
    return [];
  }
}
