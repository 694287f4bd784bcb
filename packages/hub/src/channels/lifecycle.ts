import {
  type ChannelMetadata,
  isTerminalState,
  NotFoundError,
  ProtocolError,
  parseTimestamp,
} from "@colloquy/protocol";
import type { ChannelLifecycle, CoreContext } from "../context/core-context.js";
import type { ChannelEnd } from "./draft-transition.js";
import { endChannel } from "./end-channel.js";

/** Reason of a channel whose invitees did not answer in time. */
const INVITE_TIMEOUT = "invite_timeout";
/** Reason of a channel that outlived its time to live. */
const TTL_EXPIRED = "ttl_expired";

/** Milliseconds after which a transition is tried again that the store did not take. */
const RETRY_MS = 5_000;
/** Tries after which nobody waits any longer for a channel to open that cannot be read or written. */
const TRIES_WAITED_FOR = 3;

/** A transition that is due. */
interface DueEnd {
  readonly key: string;
  readonly channelId: string;
  readonly end: ChannelEnd;
}

/** Makes the {@link ChannelLifecycle} of a hub; `context` is used only after it is complete. */
export function createLifecycle(context: () => CoreContext): ChannelLifecycle {
  const running = new Set<Promise<void>>();

  const transition = async (due: DueEnd, tries: number): Promise<void> => {
    const { key, channelId, end } = due;
    const { channels, logger, deadlines, clock, waiters } = context();
    try {
      const onlyWhile = end.reason === INVITE_TIMEOUT ? "pending" : undefined;
      await endChannel(context(), channelId, end, onlyWhile);
    } catch (error) {
      const isGone = error instanceof NotFoundError || channels.quarantined.has(channelId);
      if (isGone || tries >= TRIES_WAITED_FOR) waiters.reject(channelId, toError(error));
      if (isGone) return;
      logger.warn({ err: error, channel_id: channelId }, "a channel could not be ended in time");
      deadlines.set(key, clock.now() + RETRY_MS, () => fire(due, tries + 1));
    }
  };
  const fire = (due: DueEnd, tries: number): void => {
    const done = transition(due, tries).finally(() => running.delete(done));
    running.add(done);
  };
  const arm = (key: string, at: number, channelId: string, end: ChannelEnd): void => {
    context().deadlines.set(key, at, () => fire({ key, channelId, end }, 1));
  };
  const resume = (metadata: ChannelMetadata): void => {
    const { channel_id: id, state, expires_at, created_at } = metadata;
    if (isTerminalState(state)) return;
    const expiry = expires_at === null ? null : parseTimestamp(expires_at);
    if (expiry !== null) {
      arm(ttlKey(id), expiry, id, { state: "expired", reason: TTL_EXPIRED });
    }
    if (state !== "pending") return;
    const due = (parseTimestamp(created_at) ?? 0) + context().limits.inviteAckTimeoutMs;
    arm(inviteKey(id), due, id, { state: "closed", reason: INVITE_TIMEOUT });
  };

  return {
    resume,
    changed(metadata) {
      const { deadlines, waiters } = context();
      const { channel_id: id, state } = metadata;
      resume(metadata);
      if (state === "pending") return;
      deadlines.clear(inviteKey(id));
      if (state === "active") waiters.resolve(metadata);
      if (!isTerminalState(state)) return;
      deadlines.clear(ttlKey(id));
      waiters.reject(id, failedOpen(context(), metadata));
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function failedOpen({ limits }: CoreContext, metadata: ChannelMetadata): ProtocolError {
  const { channel_id: id, close_reason: reason, pending_acks, rejected_by } = metadata;
  const details = { close_reason: reason, pending_acks, rejected_by };
  if (reason === INVITE_TIMEOUT) {
    const silent = `${pending_acks.length} of ${invitees(metadata)} invitees did not answer`;
    const within = `within ${limits.inviteAckTimeoutMs} ms`;
    return new ProtocolError(`channel '${id}': ack timeout: ${silent} ${within}`, { details });
  }
  return new ProtocolError(`channel '${id}' closed during handshake: ${reason}`, { details });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function invitees(metadata: ChannelMetadata): number {
  return metadata.participants.length - 1;
}

function ttlKey(channelId: string): string {
  return `channel-ttl ${channelId}`;
}

function inviteKey(channelId: string): string {
  return `channel-invite ${channelId}`;
}
