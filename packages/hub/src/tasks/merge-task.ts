import { isTerminalTaskState, type TaskMetadata, type TaskState } from "@colloquy/protocol";

/** What a report changes of a task; null, absent and empty text leave a field as it is. */
export interface TaskChange {
  readonly state?: TaskState | null | undefined;
  /** Merged into what is known, key by key. */
  readonly progress?: Readonly<Record<string, unknown>> | null | undefined;
  readonly result?: unknown;
  readonly error?: string | null | undefined;
}

/** A task after a report at a time; a final state stamps `completed_at`. */
export function mergeChange(task: TaskMetadata, change: TaskChange, at: string): TaskMetadata {
  const state = change.state ?? task.state;
  const { progress } = change;
  return {
    ...task,
    state,
    completed_at: isTerminalTaskState(state) ? (task.completed_at ?? at) : task.completed_at,
    last_progress_at: progress ? at : task.last_progress_at,
    progress: progress ? { ...task.progress, ...progress } : task.progress,
    result: change.result ?? task.result,
    error: change.error || task.error,
  };
}

/** A known task after its owner observed it once more. Its spec and its creation stay. */
export function mergeObserved(known: TaskMetadata, seen: TaskMetadata, at: string): TaskMetadata {
  const progress = Object.keys(seen.progress).length > 0 ? seen.progress : null;
  const merged = mergeChange(known, { ...seen, progress }, at);
  return {
    ...merged,
    started_at: seen.started_at ?? known.started_at,
    expires_at: seen.expires_at ?? known.expires_at,
    channel_id: seen.channel_id ?? known.channel_id,
  };
}
