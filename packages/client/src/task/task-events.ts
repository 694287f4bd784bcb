import type { TaskMetadata } from "@colloquy/protocol";

/** What happened to a task: it began, it went on, or it ended in the state of that name. */
export type TaskEventKind =
  | "started"
  | "progress"
  | "completed"
  | "failed"
  | "expired"
  | "cancelled";

/** One step in the life of a task. */
export interface TaskEvent {
  readonly kind: TaskEventKind;
  /** The task as it stands after the step. A copy: later steps do not change it. */
  readonly task: TaskMetadata;
  /** What this step added to the progress; empty for every other kind. */
  readonly progress: Readonly<Record<string, unknown>>;
}

/** Hears the steps of tasks. It is called at once, in order; what it throws is passed on to nobody. */
export type TaskListener = (event: TaskEvent) => void;

/** A stream of the steps of one task, or of all tasks of one agent. */
export interface TaskEvents {
  /** Hears every step from now on; returns a function that ends it. */
  subscribe(listener: TaskListener): () => void;
}

/** The writing end of {@link TaskEvents}. */
export interface TaskEventSource extends TaskEvents {
  emit(event: TaskEvent): void;
}

/**
 * Makes a stream of task steps.
 *
 * @param onFault - told what a listener threw; default: nobody
 */
export function createTaskEvents(
  onFault: (error: unknown) => void = () => undefined,
): TaskEventSource {
  const listeners = new Set<TaskListener>();
  return {
    subscribe(listener) {
      const own: TaskListener = (event) => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch (error) {
          onFault(error);
        }
      }
    },
  };
}
