import {
  isTerminalTaskState,
  type RecordWrite,
  type TaskMetadata,
  type TaskState,
  taskMetadataSchema,
} from "@colloquy/protocol";

/** What a task index says of a task: its id, and the state in which it ended; null while it runs. */
export interface TaskIndexEntry {
  readonly task_id: string;
  readonly ended: TaskState | null;
}

/** A stored task and its place in the order of observation. */
export interface StoredTask {
  readonly task: TaskMetadata;
  readonly order: string;
}

/**
 * Which index leads to a set of tasks: all of them, an owner's, a channel's, or those that ended in a
 * state. The ids of its records are this text and the place in the order of observation.
 */
export function indexPrefix(
  set:
    | "all"
    | { readonly owner: string }
    | { readonly channel: string }
    | { readonly ended: string },
): string {
  if (set === "all") return "a ";
  if ("owner" in set) return `o ${encode(set.owner)} `;
  if ("channel" in set) return `c ${encode(set.channel)} `;
  return `s ${set.ended} `;
}

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Leaves no blank in an id. A lone surrogate has no encoding, and gets that of the character that stands for it. */
function encode(id: string): string {
  return encodeURIComponent(id.replace(LONE_SURROGATE, "\ufffd"));
}

/**
 * The writes that make a task durable: its record, under `task` while it runs, so that a start reads
 * it, and under `ended_task` from its end on; and the index records that have changed.
 *
 * @param former - the task as last written; undefined for none
 */
export function writesFor(
  task: TaskMetadata,
  order: string,
  former: TaskMetadata | undefined,
): RecordWrite[] {
  const ends = isTerminalTaskState(task.state);
  const value = JSON.stringify({ ...task, observed_order: order });
  const writes: RecordWrite[] = [{ kind: ends ? "ended_task" : "task", id: task.task_id, value }];
  if (ends && former !== undefined) writes.push({ kind: "task", id: task.task_id, value: null });
  const isMoved = former?.channel_id !== task.channel_id;
  if (former !== undefined && isMoved && former.channel_id !== null) {
    const id = `${indexPrefix({ channel: former.channel_id })}${order}`;
    writes.push({ kind: "task_index", id, value: null });
  }
  if (former !== undefined && !ends && !isMoved) return writes;
  const entry: TaskIndexEntry = { task_id: task.task_id, ended: ends ? task.state : null };
  const text = JSON.stringify(entry);
  const prefixes = [indexPrefix("all"), indexPrefix({ owner: task.owner_id })];
  if (task.channel_id !== null) prefixes.push(indexPrefix({ channel: task.channel_id }));
  if (ends) prefixes.push(indexPrefix({ ended: task.state }));
  return [
    ...writes,
    ...prefixes.map((prefix) => ({
      kind: "task_index" as const,
      id: `${prefix}${order}`,
      value: text,
    })),
  ];
}

/** Reads what {@link writesFor} has written of a task; throws when it is broken. */
export function parseStoredTask(value: string): StoredTask {
  const stored: unknown = JSON.parse(value);
  const { observed_order } = stored as { observed_order?: unknown };
  return { task: taskMetadataSchema.parse(stored), order: orderOf(observed_order) };
}

/** True for a record from before tasks had indexes: its place was a number. */
export function isUnindexed(value: string): boolean {
  const { observed_order } = JSON.parse(value) as { observed_order?: unknown };
  return typeof observed_order !== "string";
}

/** Places that were numbers sort before those that are ids. */
function orderOf(observed: unknown): string {
  if (typeof observed === "string") return observed;
  return String(typeof observed === "number" ? observed : 0).padStart(32, "0");
}
