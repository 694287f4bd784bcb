/** Where a task has got to, as plain JSON. */
export type CheckpointState = Readonly<Record<string, unknown>>;

/** Keeps the newest checkpoint of each task. */
export interface CheckpointStore {
  /** Replaces the task's checkpoint; resolves when it is durable. */
  write(taskId: string, state: CheckpointState): Promise<void>;
  /** The newest checkpoint; null when there is none. */
  read(taskId: string): Promise<CheckpointState | null>;
}

/** Told about each use of a checkpoint store after it has worked, for traces and counters. */
export interface CheckpointObserver {
  /** @param fact - `bytes`: UTF-8 bytes of the state's JSON */
  onWrite?(fact: { readonly task_id: string; readonly bytes: number }): void;
  /** @param fact - `hit`: whether there was a checkpoint */
  onRead?(fact: { readonly task_id: string; readonly hit: boolean }): void;
}

/** The two verbs of a hub that keep checkpoints: a `Hub`, a `HubClient` or a `HubPort` has them. */
export interface CheckpointHub {
  checkpointTask(taskId: string, state: CheckpointState): Promise<void>;
  readTaskCheckpoint(taskId: string): Promise<CheckpointState | null>;
}

/**
 * Checkpoints that a hub keeps, in this process or over a connection.
 *
 * Rejects as the hub does: `AccessDeniedError` for another owner's task, `TooLargeError` beyond the
 * hub's limit, `StoreError` when it cannot be stored.
 *
 * @param hub - a hub or a hub client
 * @param observer - told about each write and read; what it throws is passed over
 */
export function createHubCheckpoints(
  hub: CheckpointHub,
  observer: CheckpointObserver = {},
): CheckpointStore {
  return {
    async write(taskId, state) {
      await hub.checkpointTask(taskId, state);
      if (observer.onWrite === undefined) return;
      const bytes = new TextEncoder().encode(JSON.stringify(state)).byteLength;
      tell(() => observer.onWrite?.({ task_id: taskId, bytes }));
    },
    async read(taskId) {
      const state = await hub.readTaskCheckpoint(taskId);
      tell(() => observer.onRead?.({ task_id: taskId, hit: state !== null }));
      return state;
    },
  };
}

/** Watching must not change what is watched. */
function tell(observe: () => void): void {
  try {
    observe();
  } catch {
    // The checkpoint has been written or read all the same.
  }
}
