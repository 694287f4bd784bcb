import type { TaskMetadata, TaskState } from "@colloquy/protocol";
import { readLimit } from "../registry/list-limit.js";
import type { TaskTable } from "./task-table.js";

/** Which tasks to list. */
export interface TaskFilter {
  readonly agent_id?: string | null | undefined;
  readonly channel_id?: string | null | undefined;
  readonly state?: TaskState | null | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
}

/** The tasks that pass every given filter, in order of observation. */
export function listTasks(tasks: TaskTable, filter: TaskFilter = {}): TaskMetadata[] {
  const limit = readLimit(filter.limit);
  const found: TaskMetadata[] = [];
  for (const task of tasks.all()) {
    if (found.length >= limit) break;
    if (matches(task, filter)) found.push(task);
  }
  return found;
}

function matches(task: TaskMetadata, { agent_id, channel_id, state }: TaskFilter): boolean {
  if (agent_id && task.owner_id !== agent_id) return false;
  if (channel_id && task.channel_id !== channel_id) return false;
  return !state || task.state === state;
}
