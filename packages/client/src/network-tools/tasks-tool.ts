import {
  isNetworkError,
  isTerminalTaskState,
  type TaskMetadata,
  type Tool,
  type ToolContext,
} from "@colloquy/protocol";
import * as z from "zod";
import { messageOf } from "../errors.js";
import { defineTool, optional, unknownAction } from "./define-tool.js";
import { formatSeconds } from "./format-seconds.js";
import type { NetworkPort } from "./network-port.js";
import { pause } from "./pause.js";

const ACTIONS = ["progress", "complete", "list", "status", "wait", "cancel"];
const DEFAULT_TIMEOUT = 300;
const MAX_TIMEOUT = 86_400;
const DEFAULT_POLL_INTERVAL = 0.1;
const DEFAULT_LIMIT = 20;
/** Tasks that are read for each that a list may show, since those that have ended are left out. */
const READ_AHEAD = 4;

const input = z.object({
  action: z.string().describe("`progress`, `complete`, `list`, `status`, `wait` or `cancel`."),
  payload: optional(z.record(z.string(), z.unknown()), "progress: what is new, by name."),
  result: z.unknown().optional().describe("complete: what came of the task."),
  task_id: optional(z.string(), "status, wait and cancel: the task."),
  reason: optional(z.string(), "cancel: why."),
  scope: optional(z.enum(["own", "all"]), "list: `own` (default) or `all`."),
  state: optional(z.enum(["active", "all"]), "list: `active` (default) or `all`."),
  timeout: optional(z.number().min(0).max(MAX_TIMEOUT), "wait: seconds; 300 by default."),
  poll_interval: optional(z.number().min(0.01).max(3_600), "wait: seconds between two looks."),
  limit: optional(z.int().min(1).max(200), `list: ${DEFAULT_LIMIT} by default.`),
});

type Args = z.output<typeof input>;

/** The tool `tasks`: reports on the task under way, and looks at, waits for or cancels others. */
export function createTasksTool(port: NetworkPort): Tool {
  return defineTool({
    name: "tasks",
    description:
      "Report progress or the end of your task, list tasks, look at one, wait for one, or ask for one to be cancelled.",
    input,
    async run(args, context) {
      if (args.action === "progress" || args.action === "complete") {
        return act(port, args.action, args);
      }
      if (args.action === "list") return list(port, args);
      if (!ACTIONS.includes(args.action)) return unknownAction(args.action, ACTIONS);
      const taskId = args.task_id ?? "";
      if (taskId === "") return `Error: ${args.action} requires \`task_id\``;
      const task = await readTask(port, taskId);
      if (task === null) return `Error: task '${taskId}' not found`;
      if (args.action === "status") return summarise(task);
      return args.action === "wait" ? wait(port, task, args, context) : cancel(port, task, args);
    },
  });
}

function act(
  { activeTask }: NetworkPort,
  action: "progress" | "complete",
  { payload, result }: Args,
): string {
  if (activeTask === null) return `Error: ${action} requires an active \`agent.task(...)\` block`;
  try {
    if (action === "progress") {
      activeTask.progress(payload ?? {});
      return `progress emitted on ${activeTask.id}`;
    }
    activeTask.complete(result ?? null);
    return `completed ${activeTask.id}`;
  } catch (error) {
    return `Error: ${action} failed: ${messageOf(error)}`;
  }
}

async function list({ hub, agentId }: NetworkPort, args: Args): Promise<unknown> {
  const limit = args.limit ?? DEFAULT_LIMIT;
  const tasks = await hub.listTasks({
    agent_id: args.scope === "all" ? null : agentId,
    limit: limit * READ_AHEAD,
  });
  return tasks
    .filter(({ state }) => args.state === "all" || !isTerminalTaskState(state))
    .slice(0, limit)
    .map(summarise);
}

async function wait(
  port: NetworkPort,
  found: TaskMetadata,
  args: Args,
  { signal }: ToolContext,
): Promise<unknown> {
  const seconds = args.timeout ?? DEFAULT_TIMEOUT;
  const intervalMs = (args.poll_interval ?? DEFAULT_POLL_INTERVAL) * 1_000;
  const end = port.clock.now() + seconds * 1_000;
  let task: TaskMetadata | null = found;
  while (!isTerminalTaskState(task.state)) {
    const left = end - port.clock.now();
    if (left <= 0) {
      return `Error: task '${found.task_id}' did not complete within ${formatSeconds(seconds)}s`;
    }
    await pause(port.clock, Math.min(intervalMs, left), signal);
    task = await readTask(port, found.task_id);
    if (task === null) return `Error: task '${found.task_id}' not found`;
  }
  return summarise(task);
}

async function cancel(port: NetworkPort, task: TaskMetadata, { reason }: Args): Promise<string> {
  const { task_id, state, channel_id, owner_id } = task;
  if (isTerminalTaskState(state)) return `task '${task_id}' is already ${state}`;
  if (channel_id === null) {
    return `Error: task '${task_id}' has no associated channel; cancel_request envelopes need a channel to ride on`;
  }
  try {
    await port.requestCancel(task, channel_id, reason ?? "");
    return `cancel_request posted to ${owner_id} for task ${task_id}`;
  } catch (error) {
    return `Error: cancel_request post failed: ${messageOf(error)}`;
  }
}

async function readTask({ hub }: NetworkPort, taskId: string): Promise<TaskMetadata | null> {
  try {
    return await hub.getTask(taskId);
  } catch (error) {
    if (isNetworkError(error) && error.code === "not_found") return null;
    throw error;
  }
}

function summarise(task: TaskMetadata) {
  return {
    task_id: task.task_id,
    owner_id: task.owner_id,
    title: task.spec.title,
    capability: task.spec.capability,
    state: task.state,
    created_at: task.created_at,
    started_at: task.started_at,
    completed_at: task.completed_at,
    expires_at: task.expires_at,
    last_progress_at: task.last_progress_at,
    result: task.result,
    error: task.error,
  };
}
