import {
  type Clock,
  type Envelope,
  EV_TASK_CANCEL_REQUEST,
  type IdSource,
  type Logger,
  logFieldsOf,
  type TaskMetadata,
} from "@colloquy/protocol";
import { messageOf } from "../errors.js";
import type { HubPort } from "../verbs/hub-port.js";
import { type CheckpointStore, createHubCheckpoints } from "./checkpoint-store.js";
import { createTask } from "./create-task.js";
import type { Task, TaskSettings, TaskSubject } from "./task.js";
import { createTaskEvents, type TaskEvents } from "./task-events.js";
import { createTaskMirror } from "./task-mirror.js";

/** Runs a piece of work as a task; see `AgentClient.task`. */
export type RunTask = <T>(
  subject: TaskSubject,
  settings: TaskSettings,
  work: (task: Task) => T | Promise<T>,
) => Promise<T>;

/** Where tasks are run: in one turn, or outside any. */
export interface TaskPlace {
  readonly channelId: string | null;
  /** Aborted with the turn. */
  readonly signal?: AbortSignal | undefined;
}

/** The tasks of one turn, or those outside any. */
export interface TaskScope {
  readonly run: RunTask;
  /** The task that was entered last and has not been left. */
  readonly active: Task | null;
  /** Aborted once one of its tasks was cancelled, with `client/task_cancelled` as the reason. */
  readonly cancelled: AbortSignal;
  /** Resolves when the hub has been told of all steps so far. */
  settled(): Promise<void>;
}

/** The tasks that one agent runs here. */
export interface AgentTasks {
  readonly events: TaskEvents;
  /** Opens a place for tasks, with a mirror of its own. */
  openScope(place: TaskPlace): TaskScope;
  /** Cancels a task that runs here and gives it as it then is; null when none of that id does. */
  cancel(taskId: string, reason: string): TaskMetadata | null;
  /** Does what a peer's cancel request asks for; any other envelope is passed over. */
  hear(envelope: Envelope): void;
}

/** What {@link createAgentTasks} needs. */
export interface AgentTasksOptions {
  readonly agentId: string;
  readonly hub: HubPort;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Default: the hub keeps them. */
  readonly checkpoints?: CheckpointStore | undefined;
}

/** Makes {@link AgentTasks}. */
export function createAgentTasks(options: AgentTasksOptions): AgentTasks {
  const { agentId, hub, clock, ids, logger } = options;
  const kept = options.checkpoints ?? createHubCheckpoints(hub);
  const running = new Map<string, Task>();
  const onFault = (error: unknown): void =>
    logger.error({ agent_id: agentId, error: messageOf(error) }, "a task listener threw");
  const events = createTaskEvents(onFault);

  return {
    events,
    openScope({ channelId, signal }) {
      const mirror = createTaskMirror({ hub, agentId, channelId, logger });
      const entered: Task[] = [];
      const cancelled = new AbortController();
      return {
        get active() {
          return entered.at(-1) ?? null;
        },
        cancelled: cancelled.signal,
        settled: () => mirror.settled(),
        async run(subject, settings, work) {
          const task = createTask({
            ...{ spec: subject, ownerId: agentId, clock, onFault },
            ...settings,
            taskId: settings.taskId ?? ids.next(),
            checkpoints: settings.checkpoints ?? kept,
            channelId: settings.channelId === undefined ? channelId : settings.channelId,
            signal: either(signal, settings.signal),
          });
          if (running.has(task.id)) throw new TypeError(`task '${task.id}' is running already`);
          mirror.attach(task.events);
          task.events.subscribe((event) => events.emit(event));
          task.signal.addEventListener("abort", () => {
            if (task.state === "cancelled") cancelled.abort(task.signal.reason);
          });
          running.set(task.id, task);
          entered.push(task);
          try {
            return await task.run(work);
          } finally {
            running.delete(task.id);
            entered.splice(entered.indexOf(task), 1);
          }
        },
      };
    },
    cancel(taskId, reason) {
      const task = running.get(taskId);
      if (task === undefined || task.state !== "running") return null;
      task.cancel(reason);
      return task.metadata;
    },
    hear(envelope) {
      const { event_type, event_data, channel_id, sender_id } = envelope;
      if (event_type !== EV_TASK_CANCEL_REQUEST) return;
      const taskId = String(event_data["task_id"] ?? "");
      const task = running.get(taskId);
      // A peer asks in the channel that it shares with the task, and in no other.
      if (task?.state !== "running" || task.metadata.channel_id !== channel_id) return;
      logger.info(
        { ...logFieldsOf(envelope), task_id: taskId, sender_id },
        "a peer cancels a task",
      );
      task.cancel(String(event_data["reason"] ?? ""));
    },
  };
}

/** A signal that is aborted with either of two. */
function either(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a === undefined || b === undefined ? (a ?? b) : AbortSignal.any([a, b]);
}
