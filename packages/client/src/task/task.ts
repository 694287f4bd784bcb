import type { TaskMetadata, TaskSpecInput, TaskState } from "@colloquy/protocol";
import type { CheckpointState, CheckpointStore } from "./checkpoint-store.js";
import type { TaskEvents } from "./task-events.js";

/** A title, or a whole spec. */
export type TaskSubject = string | TaskSpecInput;

/** How to run a task; all of it may be left out. */
export interface TaskSettings {
  /** Seconds, or text such as `15m`; then the task expires. 0 or less, or absent: never by itself. */
  readonly ttl?: string | number | null | undefined;
  /** Id of an earlier task whose newest checkpoint becomes `resumedState`. */
  readonly resumeFrom?: string | null | undefined;
  /** Where checkpoints go; default: the agent's, which is the hub unless set otherwise. */
  readonly checkpoints?: CheckpointStore | undefined;
  /** Channel that the task belongs to; default: that of the turn, none outside a turn. */
  readonly channelId?: string | null | undefined;
  /** Default: a new id. */
  readonly taskId?: string | undefined;
  /** Aborts the task's signal, as the turn's does. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A piece of work that its owner runs as a scope.
 *
 * Before `run` has entered the scope every verb throws; once the task has ended none of them does
 * anything. What is given to them must be plain JSON, and is copied.
 */
export interface Task {
  readonly id: string;
  readonly state: TaskState;
  /** The task as it stands now, as the hub knows it: a copy. */
  readonly metadata: TaskMetadata;
  /**
   * Aborted when the task is cancelled or expires, and when the turn that it runs in is. A cancel
   * gives `client/task_cancelled` as the reason, with the canceller's words in `details.reason`.
   */
  readonly signal: AbortSignal;
  /** Checkpoint of the task that this one resumes; null for none. */
  readonly resumedState: CheckpointState | null;
  /** The steps of this task. */
  readonly events: TaskEvents;

  /** Adds to the progress, key by key. */
  progress(payload: Readonly<Record<string, unknown>>): void;
  /** Ends it as completed. */
  complete(result?: unknown): void;
  /** Ends it as failed. */
  fail(error: unknown): void;
  /** Ends it as expired; the signal is aborted. */
  expire(): void;
  /** Ends it as cancelled, with the reason as its error; the signal is aborted. */
  cancel(reason?: string): void;
  /** Stores where it has got to; resolves when that is durable, rejects as the store does. */
  checkpoint(state: CheckpointState): Promise<void>;

  /**
   * Enters the scope, runs the work and leaves it: a throw fails the task and is passed on, a normal
   * end completes it with null, unless it has ended before. A task can be run once.
   */
  run<T>(work: (task: Task) => T | Promise<T>): Promise<T>;
}
