import { findParticipant, isTerminalState } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { mayChange } from "./check-change.js";
import { draftGoing, draftLapsed } from "./draft-participant.js";
import { changeChannel } from "./stage-change.js";

/** Why an agent leaves its channels that is registered no longer. */
const UNREGISTERED = "unregistered";

/**
 * Takes an agent that is registered no longer out of its open channels, where their types let
 * participants go: nobody can come back under its id. A channel that cannot be written keeps it
 * until the next start.
 */
export async function leaveEverywhere(context: CoreContext, agentId: string): Promise<void> {
  const { channels, logger } = context;
  const leaving = channels.openOf(agentId).map(async (channelId) => {
    try {
      await leaveQuietly(context, channelId, agentId);
    } catch (error) {
      logger.warn(
        { err: error, channel_id: channelId, agent_id: agentId },
        "an agent that has unregistered could not leave a channel",
      );
    }
  });
  await Promise.all(leaving);
}

async function leaveQuietly(
  context: CoreContext,
  channelId: string,
  agentId: string,
): Promise<void> {
  await changeChannel(context, channelId, (live, draft) => {
    const { state, invited = [] } = live.metadata;
    if (isTerminalState(state) || state === "pending" || !mayChange(live)) return;
    if (invited.some(({ agent_id }) => agent_id === agentId)) {
      draftLapsed(context, draft, { agentId, by: null, reason: UNREGISTERED });
    } else if (findParticipant(live.metadata, agentId) !== undefined) {
      draftGoing(context, draft, agentId, { by: agentId, reason: UNREGISTERED }, true);
    }
  });
}
