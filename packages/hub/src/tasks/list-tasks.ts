import {
  isTerminalTaskState,
  NotFoundError,
  type TaskMetadata,
  type TaskState,
} from "@colloquy/protocol";
import { readLimit } from "../registry/list-limit.js";
import { readEnded } from "./find-task.js";
import type { TaskWork } from "./task-context.js";
import { indexPrefix, type TaskIndexEntry } from "./task-records.js";

/** Index records that are read at a time. */
const INDEX_PAGE = 200;

/** Which tasks to list. */
export interface TaskFilter {
  readonly agent_id?: string | null | undefined;
  readonly channel_id?: string | null | undefined;
  readonly state?: TaskState | null | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
  /** Only tasks observed after this one: the last one of the page before. */
  readonly after?: string | null | undefined;
}

/**
 * The tasks that pass every given filter, in order of observation. Those that have ended are found
 * through the index of their channel, owner or state, in this order of preference.
 *
 * @throws NotFoundError when `after` names a task that the hub does not know
 */
export async function listTasks(
  work: TaskWork,
  filter: TaskFilter = {},
): Promise<readonly TaskMetadata[]> {
  const limit = readLimit(filter.limit);
  const after = filter.after ? await placeOf(work, filter.after) : "";
  const found: TaskMetadata[] = [];
  if (limit === 0) return found;
  for await (const task of eachTask(work, filter, after)) {
    found.push(task);
    if (found.length >= limit) break;
  }
  return found;
}

async function placeOf(work: TaskWork, taskId: string): Promise<string> {
  const place = work.tasks.orderOf(taskId) ?? (await readEnded(work, taskId))?.order;
  if (place !== undefined) return place;
  throw new NotFoundError(`task not found: ${taskId}`);
}

async function* eachTask(
  work: TaskWork,
  filter: TaskFilter,
  after: string,
): AsyncGenerator<TaskMetadata, void, undefined> {
  const { state } = filter;
  if (state && !isTerminalTaskState(state)) {
    for (const { task, order } of work.tasks.open()) {
      if (order > after && matches(task, filter)) yield task;
    }
    return;
  }
  const prefix = prefixFor(filter);
  let last = `${prefix}${after}`;
  for (;;) {
    const page = await work.context.store.listRecords("task_index", last, INDEX_PAGE);
    for (const { id, value } of page) {
      if (!id.startsWith(prefix)) return;
      last = id;
      const task = await resolve(work, JSON.parse(value) as TaskIndexEntry, filter);
      if (task !== null && matches(task, filter)) yield task;
    }
    if (page.length < INDEX_PAGE) return;
  }
}

/** The task that an index record leads to; null when it cannot pass, which spares the reading. */
async function resolve(
  work: TaskWork,
  { task_id, ended }: TaskIndexEntry,
  { state }: TaskFilter,
): Promise<TaskMetadata | null> {
  const known = work.tasks.durable(task_id);
  if (known !== undefined) return known;
  if (state && ended !== null && ended !== state) return null;
  return (await readEnded(work, task_id))?.task ?? null;
}

function prefixFor({ agent_id, channel_id, state }: TaskFilter): string {
  if (channel_id) return indexPrefix({ channel: channel_id });
  if (agent_id) return indexPrefix({ owner: agent_id });
  return state ? indexPrefix({ ended: state }) : indexPrefix("all");
}

function matches(task: TaskMetadata, { agent_id, channel_id, state }: TaskFilter): boolean {
  if (agent_id && task.owner_id !== agent_id) return false;
  if (channel_id && task.channel_id !== channel_id) return false;
  return !state || task.state === state;
}
