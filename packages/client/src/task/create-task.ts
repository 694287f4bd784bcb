import {
  type Clock,
  formatTimestamp,
  isTerminalTaskState,
  parseDuration,
  parseTimestamp,
  parseWith,
  type TaskMetadata,
  type TaskState,
  type Timer,
  taskSpecSchema,
} from "@colloquy/protocol";
import { ClientError, messageOf } from "../errors.js";
import type { CheckpointState, CheckpointStore } from "./checkpoint-store.js";
import type { Task, TaskSettings, TaskSubject } from "./task.js";
import { createTaskEvents, type TaskEventKind } from "./task-events.js";

/** What a task is made of, beside its settings. */
export interface TaskOptions extends TaskSettings {
  readonly spec: TaskSubject;
  /** Id of the agent that runs it. */
  readonly ownerId: string;
  readonly taskId: string;
  readonly clock: Clock;
  /** Told what a listener of the task's events threw; default: nobody. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a task that is not entered yet.
 *
 * @throws InvalidInputError for a wrong spec, TypeError for a wrong time to live
 */
export function createTask(options: TaskOptions): Task {
  const { clock, checkpoints, resumeFrom = null } = options;
  const lifeMs = lifeOf(options.ttl);
  const spec = parseWith(taskSpecSchema, specOf(options.spec), "task spec");
  const events = createTaskEvents(options.onFault);
  const controller = new AbortController();
  let resumed: CheckpointState | null = null;
  let timer: Timer | null = null;
  let isEntered = false;
  let stopListening: () => void = () => undefined;
  let now: TaskMetadata = {
    task_id: options.taskId,
    owner_id: options.ownerId,
    spec,
    state: "created",
    created_at: stamp(clock),
    started_at: null,
    completed_at: null,
    expires_at: null,
    last_progress_at: null,
    progress: {},
    result: null,
    error: "",
    channel_id: options.channelId ?? null,
  };

  const emit = (kind: TaskEventKind, progress: CheckpointState = {}): void =>
    events.emit({ kind, task: { ...now }, progress });
  /** True when a verb has something to do. */
  const isOpen = (verb: string): boolean => {
    if (now.state !== "created") return !isTerminalTaskState(now.state);
    throw new TypeError(`${verb}: the task is not entered yet; call it inside run`);
  };
  const end = (state: TaskState & TaskEventKind, change: Partial<TaskMetadata>): void => {
    now = { ...now, ...change, state, completed_at: stamp(clock) };
    timer?.cancel();
    stopListening();
    emit(state);
  };
  const expire = (): void => {
    end("expired", { error: "ttl_expired" });
    const late = `task '${now.task_id}' has outlived its time`;
    controller.abort(new ClientError("client/timed_out", late));
  };
  const enter = async (): Promise<void> => {
    if (isEntered) throw new TypeError("a task can be run once");
    isEntered = true;
    if (resumeFrom !== null) resumed = await requireStore(checkpoints).read(resumeFrom);
    now = { ...now, state: "running", started_at: stamp(clock) };
    if (lifeMs !== null) {
      now = { ...now, expires_at: formatTimestamp(clock.now() + lifeMs) };
      timer = clock.setTimer(lifeMs, expire);
    }
    stopListening = follow(options.signal, controller);
    emit("started");
  };

  const task: Task = {
    id: now.task_id,
    events,
    signal: controller.signal,
    get state() {
      return now.state;
    },
    get metadata() {
      return { ...now };
    },
    get resumedState() {
      return resumed;
    },
    progress(payload) {
      if (!isOpen("progress")) return;
      const added = copyObject(payload, "progress");
      now = { ...now, progress: { ...now.progress, ...added }, last_progress_at: stamp(clock) };
      emit("progress", added);
    },
    complete(result = null) {
      if (isOpen("complete")) end("completed", { result: copyJson(result, "result") ?? null });
    },
    fail(error) {
      if (isOpen("fail")) end("failed", { error: messageOf(error) || "failed" });
    },
    expire() {
      if (isOpen("expire")) expire();
    },
    cancel(reason = "") {
      if (!isOpen("cancel")) return;
      end("cancelled", { error: reason });
      controller.abort(cancelled(now.task_id, reason));
    },
    async checkpoint(state) {
      if (!isOpen("checkpoint")) return;
      await requireStore(checkpoints).write(now.task_id, copyObject(state, "checkpoint"));
    },
    async run(work) {
      await enter();
      try {
        const value = await work(task);
        task.complete();
        return value;
      } catch (error) {
        task.fail(error);
        throw error;
      }
    },
  };
  return task;
}

/** Milliseconds from the start to the end of a task's time, as its metadata has them; null when unknown. */
export function latencyOf({ started_at, completed_at }: TaskMetadata): number | null {
  const from = started_at === null ? null : parseTimestamp(started_at);
  const to = completed_at === null ? null : parseTimestamp(completed_at);
  return from === null || to === null ? null : Math.max(0, Math.round(to - from));
}

function cancelled(taskId: string, reason: string): ClientError {
  const why = reason === "" ? "" : `: ${reason}`;
  return new ClientError("client/task_cancelled", `task '${taskId}' was cancelled${why}`, {
    details: { task_id: taskId, reason },
  });
}

function requireStore(checkpoints: CheckpointStore | undefined): CheckpointStore {
  if (checkpoints !== undefined) return checkpoints;
  throw new TypeError("the task has no checkpoint store; give one as `checkpoints`");
}

/** Passes an abort of one signal on; returns a function that ends it. */
function follow(source: AbortSignal | undefined, controller: AbortController): () => void {
  if (source === undefined) return () => undefined;
  const pass = (): void => controller.abort(source.reason);
  if (source.aborted) pass();
  source.addEventListener("abort", pass, { once: true });
  return () => source.removeEventListener("abort", pass);
}

function lifeOf(ttl: TaskSettings["ttl"]): number | null {
  const seconds = ttl === null || ttl === undefined ? 0 : parseDuration(ttl);
  return seconds > 0 ? seconds * 1_000 : null;
}

function specOf(subject: TaskSubject): unknown {
  return typeof subject === "string" ? { title: subject } : subject;
}

function stamp(clock: Clock): string {
  return formatTimestamp(clock.now());
}

function copyObject(value: CheckpointState, field: string): Record<string, unknown> {
  const copy = copyJson(value, field);
  if (typeof copy === "object" && copy !== null && !Array.isArray(copy)) {
    return copy as Record<string, unknown>;
  }
  throw new TypeError(`${field} must be a plain object`);
}

/** A copy as JSON keeps it, so that the caller's later changes reach nobody. */
function copyJson(value: unknown, field: string): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${field} must be plain JSON: no functions, big integers or cycles`, {
      cause,
    });
  }
}
