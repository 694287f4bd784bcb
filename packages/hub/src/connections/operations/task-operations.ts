import {
  AccessDeniedError,
  type BareOperationName,
  InvalidInputError,
  NotFoundError,
  ProtocolError,
  type TaskMetadata,
} from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
import { noteTarget } from "../refuse.js";
import { agentsOf, isBoundTo } from "../session.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { isMember, requireAnyAgent, requireBound, requireMembership } from "./scopes.js";

type TaskOperationName = Extract<
  BareOperationName,
  | "get_task"
  | "list_tasks"
  | "observe_task"
  | "update_task"
  | "record_observation"
  | "fire_task_event"
  | "checkpoint_task"
  | "read_task_checkpoint"
>;

/** The one event of a task that a client reports; all others come from the hub itself. */
const REPORTED_EVENT = "mirror_failed";
const REPORTED_KEYS: ReadonlySet<string> = new Set([
  "op",
  "owner_id",
  "channel_id",
  "exc_type",
  "exc_message",
]);
const MAX_REPORTED_LENGTH = 500;
const MAX_CAPABILITY_LENGTH = 256;
/** Tasks that are looked at in one go. */
const LIST_PAGE = 100;

/** Tasks are changed by their owners, and seen by them and by the members of their channel. */
export const taskOperations: Operations<TaskOperationName> = {
  get_task: {
    authorize: requireAnyAgent,
    async run(caller, { task_id }) {
      const task = await caller.work.hub.getTask(task_id);
      if (await isVisible(caller, task)) return task;
      throw new NotFoundError(`task not found: ${task_id}`);
    },
    bulky: true,
  },
  list_tasks: {
    authorize: requireAnyAgent,
    async run(caller, { limit, ...filter }) {
      const visible: TaskMetadata[] = [];
      const ours = new Map<string, boolean>();
      let { after } = filter;
      while (visible.length < limit) {
        const page = await caller.work.hub.listTasks({ ...filter, after, limit: LIST_PAGE });
        for (const task of page) {
          if (visible.length >= limit) break;
          if (await isVisible(caller, task, ours)) visible.push(task);
        }
        if (page.length < LIST_PAGE) break;
        after = page.at(-1)?.task_id ?? null;
      }
      return visible;
    },
    bulky: true,
  },
  observe_task: {
    authorize(caller, raw) {
      const metadata = recordIn(raw, "metadata");
      const [owner, channel] = [metadata["owner_id"], metadata["channel_id"]];
      if (typeof channel === "string") return requireMembership(caller, channel, owner);
      requireBound(caller, owner);
    },
    async run({ work }, { metadata }): Promise<null> {
      await work.hub.observeTask(metadata);
      return null;
    },
  },
  update_task: {
    authorize: byVisibleOwner,
    async run({ work }, { task_id, ...change }): Promise<null> {
      await work.hub.updateTask(task_id, change);
      return null;
    },
  },
  record_observation: {
    async authorize(caller, raw) {
      requireBound(caller, raw["owner_id"]);
      if (typeof raw["task_id"] === "string") await byOwner(caller, raw);
    },
    async run({ work }, observation): Promise<null> {
      checkCapability(observation.capability);
      await work.hub.recordObservation(observation);
      return null;
    },
  },
  fire_task_event: {
    async authorize(caller, raw) {
      requireBound(caller, recordIn(raw, "payload")["owner_id"]);
      await byOwner(caller, raw);
    },
    async run({ work }, { task_id, kind, payload }): Promise<null> {
      await work.hub.fireTaskEvent(task_id, kind, readReport(kind, payload));
      return null;
    },
  },
  checkpoint_task: {
    authorize: requireAnyAgent,
    async run({ work, session }, { task_id, state }): Promise<null> {
      await work.hub.checkpointTask(task_id, state, agentsOf(work, session));
      return null;
    },
  },
  read_task_checkpoint: {
    authorize: requireAnyAgent,
    run: ({ work, session }, { task_id }) =>
      work.hub.readTaskCheckpoint(task_id, agentsOf(work, session)),
    bulky: true,
  },
};

/** A task that the hub knows is its owner's; one that it does not know passes here. */
async function byOwner(caller: Caller, raw: RawParams): Promise<void> {
  requireAnyAgent(caller);
  const taskId = raw["task_id"];
  if (typeof taskId !== "string") return;
  const task = await findTask(caller, taskId);
  if (task === null || isBoundTo(caller.work, caller.session, task.owner_id)) return;
  throw noteTarget(new AccessDeniedError(`task ${quote(taskId)} belongs to another owner`), {
    ...{ gate: "ownership", target: taskId, reason: "owner is not bound here" },
  });
}

/** {@link byOwner}; a task that nobody here may see is refused exactly as one that does not exist. */
async function byVisibleOwner(caller: Caller, raw: RawParams): Promise<void> {
  const taskId = raw["task_id"];
  const task = typeof taskId === "string" ? await findTask(caller, taskId) : null;
  if (task === null || (await isVisible(caller, task))) return byOwner(caller, raw);
  requireAnyAgent(caller);
  throw noteTarget(new NotFoundError(`task not found: ${task.task_id}`), {
    ...{ gate: "ownership", target: task.task_id, reason: "owner is not bound here" },
  });
}

async function findTask({ work }: Caller, taskId: string): Promise<TaskMetadata | null> {
  try {
    return await work.hub.getTask(taskId);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** `ours` remembers which channels have a member here, over several tasks. */
async function isVisible(
  caller: Caller,
  { owner_id, channel_id }: TaskMetadata,
  ours: Map<string, boolean> = new Map(),
): Promise<boolean> {
  if (isBoundTo(caller.work, caller.session, owner_id)) return true;
  if (channel_id === null) return false;
  const isOurs = ours.get(channel_id) ?? (await isMember(caller, channel_id));
  ours.set(channel_id, isOurs);
  return isOurs;
}

/** It becomes a key of a record that travels, where a peer refuses `__proto__`. */
function checkCapability(capability: string): void {
  const { length } = capability;
  if (length > 0 && length <= MAX_CAPABILITY_LENGTH && capability !== "__proto__") return;
  const remedy = `Give a text of 1 to ${MAX_CAPABILITY_LENGTH} characters other than __proto__.`;
  throw new InvalidInputError(`operation "record_observation", field capability: ${remedy}`, {
    field: "capability",
    received: "string",
    remedy,
  });
}

function readReport(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (kind !== REPORTED_EVENT) {
    throw new AccessDeniedError(`only '${REPORTED_EVENT}' may be reported, got ${quote(kind)}`);
  }
  const stranger = Object.keys(payload).find((key) => !REPORTED_KEYS.has(key));
  if (stranger !== undefined) {
    throw new ProtocolError(
      `unknown key ${quote(stranger)} in payload; allowed are ${[...REPORTED_KEYS].join(", ")}`,
    );
  }
  if (typeof payload["owner_id"] !== "string") {
    throw new ProtocolError("payload.owner_id must be the id of the task's owner");
  }
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key,
      typeof value === "string" ? value.slice(0, MAX_REPORTED_LENGTH) : value,
    ]),
  );
}

function recordIn(raw: RawParams, key: string): Readonly<Record<string, unknown>> {
  const value = raw[key];
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
