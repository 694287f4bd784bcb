import {
  type BrokenChannel,
  isTerminalState,
  type RecoveredChannel,
  type Recovery,
  StoreError,
} from "@colloquy/protocol";
import { leaveEverywhere } from "../channels/leave-everywhere.js";
import type { CoreContext } from "../context/core-context.js";
import { leanMetadata } from "../live/lean-metadata.js";
import { ChannelBrokenError } from "../live/live-channels.js";
import type { ChannelReader } from "./channel-reader.js";

/**
 * Brings every channel that has not ended into memory. A channel with a fault is quarantined with
 * its reason, one that could not be read now is read when it is wanted; the others are not affected.
 */
export async function hydrateChannels(
  context: CoreContext,
  recovery: Recovery,
  reader: ChannelReader,
): Promise<void> {
  for (const repair of recovery.repairs) context.logger.warn({ repair }, "the store was mended");
  context.ids.advancePast(recovery.last_envelope_id);
  for await (const found of recovery.channels) {
    if (found.channel !== null) context.traces?.resumeChannel(found.channel);
    if (isBroken(found)) {
      context.channels.quarantine(found.channel_id, found.reason, found.channel);
      continue;
    }
    context.ids.advancePast(found.channel.channel_id);
    await takeUp(context, found, reader);
  }
  await endOrphans(context);
  await leaveBehind(context);
}

/** A kill may have come between an agent's unregistration and its leaving. */
async function leaveBehind(context: CoreContext): Promise<void> {
  const gone = new Set<string>();
  for (const { metadata } of context.channels.inMemory()) {
    for (const { agent_id } of [...metadata.participants, ...(metadata.invited ?? [])]) {
      if (context.agents.get(agent_id) === undefined) gone.add(agent_id);
    }
  }
  for (const agentId of gone) await leaveEverywhere(context, agentId);
}

/** A kill may have come between the end of a channel and that of those opened in its course. */
async function endOrphans({ channels, lifecycle }: CoreContext): Promise<void> {
  const parents = new Set<string>();
  for (const { metadata } of channels.inMemory()) {
    if (metadata.parent_channel_id !== null) parents.add(metadata.parent_channel_id);
  }
  for (const parentId of parents) {
    const parent = await channels.metadata(parentId);
    if (parent !== null && isTerminalState(parent.state)) lifecycle.endWithin(parentId);
  }
}

async function takeUp(
  context: CoreContext,
  { channel: recovered, head, snapshot, tail }: RecoveredChannel,
  reader: ChannelReader,
): Promise<void> {
  const { channels, logger } = context;
  const channel = leanMetadata(recovered);
  try {
    const live = await reader.rebuild({ metadata: channel, head, snapshot, tail });
    channels.add(live);
    channels.committed(live, channel);
    context.lifecycle.resume(channel);
    context.expectations.resume(live);
    if (live.adapter === null) {
      const { type, version } = channel.manifest;
      logger.warn({ channel_id: live.id, type, version }, "a channel has no registered adapter");
    }
  } catch (error) {
    if (error instanceof ChannelBrokenError) {
      channels.quarantine(channel.channel_id, error.message, channel);
    } else if (error instanceof StoreError) {
      logger.warn({ err: error, channel_id: channel.channel_id }, "a channel is read later");
      channels.addUnread(channel);
      context.lifecycle.resume(channel);
      context.expectations.readLater(channel.channel_id);
    } else {
      throw error;
    }
  }
}

function isBroken(found: RecoveredChannel | BrokenChannel): found is BrokenChannel {
  return "reason" in found;
}
