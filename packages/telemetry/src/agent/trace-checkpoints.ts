import { trace } from "@opentelemetry/api";
import { ATTR } from "../spans/attributes.js";

/** Where a task's progress is kept between runs: over a hub in this process, or over a client. */
export interface CheckpointStore {
  write(taskId: string, state: Readonly<Record<string, unknown>>): Promise<void>;
  read(taskId: string): Promise<Readonly<Record<string, unknown>> | null>;
}

const encoder = new TextEncoder();

/**
 * A checkpoint store whose use shows on the span that is current: an event `checkpoint.write` with
 * the task and the bytes of JSON, once it is stored, and `checkpoint.read` with the task and whether
 * there was one. Without a current span it is the store itself.
 */
export function traceCheckpoints(store: CheckpointStore): CheckpointStore {
  return {
    async write(taskId, state) {
      const span = trace.getActiveSpan();
      await store.write(taskId, state);
      if (span?.isRecording() !== true) return;
      span.addEvent("checkpoint.write", {
        [ATTR.checkpointTaskId]: taskId,
        [ATTR.checkpointBytes]: encoder.encode(JSON.stringify(state)).length,
      });
    },
    async read(taskId) {
      const span = trace.getActiveSpan();
      const state = await store.read(taskId);
      span?.addEvent("checkpoint.read", {
        [ATTR.checkpointTaskId]: taskId,
        [ATTR.checkpointHit]: state !== null,
      });
      return state;
    },
  };
}
