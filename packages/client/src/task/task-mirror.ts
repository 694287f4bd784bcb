import type { Logger, TaskMetadata, TaskState } from "@colloquy/protocol";
import { messageOf } from "../errors.js";
import { latencyOf } from "./create-task.js";
import type { TaskEvent, TaskEvents } from "./task-events.js";

/** The verbs of a hub that a mirror uses: a `Hub`, a `HubClient` or a `HubPort` has them. */
export interface TaskHub {
  observeTask(task: TaskMetadata): Promise<void>;
  updateTask(
    taskId: string,
    change: {
      readonly state?: TaskState | null | undefined;
      readonly progress?: Readonly<Record<string, unknown>> | null | undefined;
      readonly result?: unknown;
      readonly error?: string | undefined;
    },
  ): Promise<void>;
  recordObservation(input: {
    readonly owner_id: string;
    readonly capability: string;
    readonly outcome: TaskState;
    readonly latency_ms?: number | null | undefined;
    readonly task_id?: string | null | undefined;
  }): Promise<void>;
  fireTaskEvent(
    taskId: string,
    kind: string,
    payload?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}

/** What a mirror is made of. */
export interface TaskMirrorOptions {
  readonly hub: TaskHub;
  /** Registered id of the agent whose tasks these are; takes the place of the owner in the events. */
  readonly agentId: string;
  /** Channel of tasks that name none; default: none. */
  readonly channelId?: string | null | undefined;
  readonly logger: Logger;
}

/** Brings the steps of tasks to a hub. */
export interface TaskMirror {
  /** Mirrors a stream from now on; returns a function that ends it. What came before still arrives. */
  attach(events: TaskEvents): () => void;
  /** Resolves when the hub has been told everything so far, or could not be. Never rejects. */
  settled(): Promise<void>;
}

/** What still has to be told of one task. */
interface Lane {
  readonly waiting: TaskEvent[];
  done: Promise<void>;
}

/**
 * Makes a mirror.
 *
 * A start is observed, progress and ends are updates, and the end of a task with a capability is
 * recorded for its owner's track record. Steps of one task arrive in order; progress that has to
 * wait is merged. A task that the hub does not know is passed over. Any other failure is logged and
 * reported to the hub as the task event `mirror_failed`; it never reaches the task.
 */
export function createTaskMirror(options: TaskMirrorOptions): TaskMirror {
  const lanes = new Map<string, Lane>();

  const work = async (lane: Lane, taskId: string): Promise<void> => {
    for (let event = lane.waiting.shift(); event !== undefined; event = lane.waiting.shift()) {
      await mirror(options, event);
    }
    lanes.delete(taskId);
  };
  const take = (event: TaskEvent): void => {
    const { task_id } = event.task;
    const lane = lanes.get(task_id);
    if (lane === undefined) {
      const fresh: Lane = { waiting: [event], done: Promise.resolve() };
      lanes.set(task_id, fresh);
      fresh.done = work(fresh, task_id);
      return;
    }
    const last = lane.waiting.at(-1);
    if (last?.kind === "progress" && event.kind === "progress") {
      const progress = { ...last.progress, ...event.progress };
      lane.waiting.splice(-1, 1, { ...event, progress });
    } else {
      lane.waiting.push(event);
    }
  };
  return {
    attach: (events) => events.subscribe(take),
    async settled() {
      await Promise.all([...lanes.values()].map(({ done }) => done));
    },
  };
}

async function mirror(options: TaskMirrorOptions, event: TaskEvent): Promise<void> {
  const { hub, agentId } = options;
  const { kind, task, progress } = event;
  const { task_id, spec, error } = task;
  if (kind === "started") {
    const channel_id = task.channel_id ?? options.channelId ?? null;
    const seen = { ...task, owner_id: agentId, channel_id };
    await attempt(options, "observe_task", seen, () => hub.observeTask(seen));
  } else if (kind === "progress") {
    await attempt(options, "update_task", task, () => hub.updateTask(task_id, { progress }));
  } else {
    const change = { state: kind, result: task.result, error };
    await attempt(options, "update_task", task, () => hub.updateTask(task_id, change));
    const { capability } = spec;
    if (capability === null) return;
    const observation = {
      ...{ owner_id: agentId, capability, outcome: kind, task_id },
      latency_ms: latencyOf(task),
    };
    await attempt(options, "record_observation", task, () => hub.recordObservation(observation));
  }
}

/** Runs one call; a failure ends here. */
async function attempt(
  options: TaskMirrorOptions,
  op: string,
  task: TaskMetadata,
  call: () => Promise<void>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === "not_found") return;
    const { task_id } = task;
    options.logger.warn({ task_id, op, error: messageOf(error) }, "a task could not be mirrored");
    await report(options, op, task, error);
  }
}

async function report(
  { hub, agentId, logger, channelId }: TaskMirrorOptions,
  op: string,
  task: TaskMetadata,
  error: unknown,
): Promise<void> {
  const { task_id } = task;
  const payload = {
    ...{ op, owner_id: agentId, channel_id: task.channel_id ?? channelId ?? null },
    exc_type: error instanceof Error ? error.name : typeof error,
    exc_message: messageOf(error),
  };
  try {
    await hub.fireTaskEvent(task_id, "mirror_failed", payload);
  } catch (failure) {
    logger.debug({ task_id, error: messageOf(failure) }, "nor could that be reported");
  }
}
