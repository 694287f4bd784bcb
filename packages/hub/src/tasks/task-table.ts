import { isTerminalTaskState, type TaskMetadata } from "@colloquy/protocol";
import { freezeDeep } from "../core/freeze.js";

/**
 * The tasks that a hub has in memory: those that run and the newest that have ended; what is durable,
 * and what is staged upon it. All of it is frozen.
 */
export interface TaskTable {
  /** As staged, or as durable: what the next change builds upon. */
  newest(taskId: string): TaskMetadata | undefined;
  /** As durable: what may be shown. */
  durable(taskId: string): TaskMetadata | undefined;
  /** Durable tasks that have not ended, in order of observation. */
  open(): readonly { readonly task: TaskMetadata; readonly order: string }[];
  /** Place in the order of observation; undefined for a task that is not in memory. */
  orderOf(taskId: string): string | undefined;
  /** Tasks of an owner that have not ended, staged changes included. */
  countOpen(ownerId: string): number;
  /** Ids of a channel's tasks that have not ended, staged changes included. */
  openIn(channelId: string): readonly string[];

  /** `order`: its place, which counts when it is new. */
  stage(task: TaskMetadata, order: string): void;
  /** The staged task is durable. */
  confirm(task: TaskMetadata): void;
  /** The staged task was not stored. */
  undo(task: TaskMetadata): void;
  /** Takes up a stored task; to be called in order of observation. */
  restore(task: TaskMetadata, order: string): void;
}

interface Line {
  readonly order: string;
  durable: TaskMetadata | undefined;
  staged: TaskMetadata | undefined;
}

/**
 * Makes an empty table.
 *
 * @param endedInMemory - tasks that have ended and are kept; the one that ended first is forgotten first
 */
export function createTaskTable(endedInMemory: number): TaskTable {
  const lines = new Map<string, Line>();
  const byOwner = new Map<string, Set<string>>();
  const byChannel = new Map<string, Set<string>>();
  const openLines = new Set<string>();
  const ended = new Set<string>();

  const newest = (taskId: string): TaskMetadata | undefined => {
    const line = lines.get(taskId);
    return line?.staged ?? line?.durable;
  };
  /** Runs a change of one line and moves the task between the indexes of what is open. */
  const reindex = (taskId: string, change: () => void): void => {
    const before = newest(taskId);
    change();
    const after = newest(taskId);
    openLines.delete(taskId);
    if (before) drop(byOwner, before.owner_id, taskId);
    if (before?.channel_id) drop(byChannel, before.channel_id, taskId);
    if (after === undefined || isTerminalTaskState(after.state)) return;
    openLines.add(taskId);
    include(byOwner, after.owner_id, taskId);
    if (after.channel_id) include(byChannel, after.channel_id, taskId);
  };

  /** A durable end: the oldest one beyond the bound leaves memory. */
  const noteEnd = (task: TaskMetadata): void => {
    if (!isTerminalTaskState(task.state)) return;
    ended.add(task.task_id);
    if (ended.size <= endedInMemory) return;
    for (const oldest of ended) {
      ended.delete(oldest);
      lines.delete(oldest);
      return;
    }
  };

  return {
    newest,
    durable: (taskId) => lines.get(taskId)?.durable,
    open: () =>
      [...openLines]
        .flatMap((taskId) => {
          const { durable, order = "" } = lines.get(taskId) ?? {};
          return durable ? [{ task: durable, order }] : [];
        })
        .sort((a, b) => (a.order < b.order ? -1 : 1)),
    orderOf: (taskId) => lines.get(taskId)?.order,
    countOpen: (ownerId) => byOwner.get(ownerId)?.size ?? 0,
    openIn: (channelId) => [...(byChannel.get(channelId) ?? [])],
    stage(task, order) {
      freezeDeep(task);
      reindex(task.task_id, () => {
        const line = lines.get(task.task_id);
        if (line) line.staged = task;
        else lines.set(task.task_id, { order, durable: undefined, staged: task });
      });
    },
    confirm(task) {
      reindex(task.task_id, () => {
        const line = lines.get(task.task_id);
        if (line === undefined) return;
        line.durable = task;
        if (line.staged === task) line.staged = undefined;
      });
      noteEnd(task);
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
      reindex(task.task_id, () => {
        lines.set(task.task_id, { order, durable: freezeDeep(task), staged: undefined });
      });
      noteEnd(task);
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
