import { isTerminalTaskState, type TaskMetadata } from "@colloquy/protocol";
import { freezeDeep } from "../core/freeze.js";

/** The tasks that a hub knows: what is durable, and what is staged upon it. All of it is frozen. */
export interface TaskTable {
  /** As staged, or as durable: what the next change builds upon. */
  newest(taskId: string): TaskMetadata | undefined;
  /** As durable: what may be shown. */
  durable(taskId: string): TaskMetadata | undefined;
  /** Durable tasks in order of observation. */
  all(): Iterable<TaskMetadata>;
  /** Place in the order of observation, growing; taken when a task is first staged. */
  orderOf(taskId: string): number;
  /** Tasks of an owner that have not ended, staged changes included. */
  countOpen(ownerId: string): number;
  /** Ids of a channel's tasks that have not ended, staged changes included. */
  openIn(channelId: string): readonly string[];

  stage(task: TaskMetadata): void;
  /** The staged task is durable. */
  confirm(task: TaskMetadata): void;
  /** The staged task was not stored. */
  undo(task: TaskMetadata): void;
  /** Takes up a stored task; to be called in order of observation. */
  restore(task: TaskMetadata, order: number): void;
}

interface Line {
  readonly order: number;
  durable: TaskMetadata | undefined;
  staged: TaskMetadata | undefined;
}

/** Makes an empty table. */
export function createTaskTable(): TaskTable {
  const lines = new Map<string, Line>();
  const byOwner = new Map<string, Set<string>>();
  const byChannel = new Map<string, Set<string>>();
  let lastOrder = 0;

  const newest = (taskId: string): TaskMetadata | undefined => {
    const line = lines.get(taskId);
    return line?.staged ?? line?.durable;
  };
  /** Runs a change of one line and moves the task between the indexes of what is open. */
  const reindex = (taskId: string, change: () => void): void => {
    const before = newest(taskId);
    change();
    const after = newest(taskId);
    if (before) drop(byOwner, before.owner_id, taskId);
    if (before?.channel_id) drop(byChannel, before.channel_id, taskId);
    if (after === undefined || isTerminalTaskState(after.state)) return;
    include(byOwner, after.owner_id, taskId);
    if (after.channel_id) include(byChannel, after.channel_id, taskId);
  };

  return {
    newest,
    durable: (taskId) => lines.get(taskId)?.durable,
    *all() {
      for (const { durable } of lines.values()) if (durable) yield durable;
    },
    orderOf: (taskId) => lines.get(taskId)?.order ?? 0,
    countOpen: (ownerId) => byOwner.get(ownerId)?.size ?? 0,
    openIn: (channelId) => [...(byChannel.get(channelId) ?? [])],
    stage(task) {
      freezeDeep(task);
      reindex(task.task_id, () => {
        const line = lines.get(task.task_id);
        if (line) line.staged = task;
        else lines.set(task.task_id, { order: ++lastOrder, durable: undefined, staged: task });
      });
    },
    confirm(task) {
      reindex(task.task_id, () => {
        const line = lines.get(task.task_id);
        if (line === undefined) return;
        line.durable = task;
        if (line.staged === task) line.staged = undefined;
      });
    },
    undo(task) {
      reindex(task.task_id, () => {
        const line = lines.get(task.task_id);
        if (line?.staged !== task) return;
        line.staged = undefined;
        if (line.durable === undefined) lines.delete(task.task_id);
      });
    },
    restore(task, order) {
      lastOrder = Math.max(lastOrder, order);
      reindex(task.task_id, () => {
        lines.set(task.task_id, { order, durable: freezeDeep(task), staged: undefined });
      });
    },
  };
}

function include(index: Map<string, Set<string>>, key: string, id: string): void {
  index.set(key, (index.get(key) ?? new Set()).add(id));
}

function drop(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
