import {
  EV_TASK_CANCEL_REQUEST,
  isTerminalTaskState,
  ProtocolError,
  type TaskMetadata,
} from "@colloquy/protocol";
import type { ParticipantClient } from "../agent/participant-client.js";

/** Most characters of a reason, as hubs of either profile take it. */
const MAX_REASON_LENGTH = 500;

/**
 * Asks the owner of a task to cancel it; see `ParticipantClient.cancelTask`.
 *
 * @throws NotFoundError for a task that the client may not see, ProtocolError for one without a channel
 */
export async function cancelTask(
  client: Pick<ParticipantClient, "agentId" | "hub" | "post">,
  taskId: string,
  reason: string,
): Promise<TaskMetadata> {
  const task = await client.hub.getTask(taskId);
  if (isTerminalTaskState(task.state)) return task;
  if (task.owner_id === client.agentId) {
    await client.hub.updateTask(taskId, { state: "cancelled", error: reason });
    return client.hub.getTask(taskId);
  }
  if (task.channel_id === null) {
    throw new ProtocolError(
      `task '${taskId}' has no associated channel; cancel_request envelopes need a channel to ride on`,
    );
  }
  await client.post({
    channel_id: task.channel_id,
    event_type: EV_TASK_CANCEL_REQUEST,
    event_data: { task_id: taskId, reason: reason.slice(0, MAX_REASON_LENGTH) },
    audience: [task.owner_id],
    task_id: taskId,
  });
  return task;
}
