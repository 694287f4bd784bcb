import {
  type ChannelMetadata,
  type ChannelState,
  isTerminalState,
  NotFoundError,
  ProtocolError,
  parseTimestamp,
} from "@colloquy/protocol";
import type { ChannelLifecycle, CoreContext } from "../context/core-context.js";
import type { ChannelEnd } from "./draft-transition.js";
import { endChannel } from "./end-channel.js";
import { lapseInvites, nextOverdue } from "./lapse-invites.js";

/** Reason of a channel whose invitees did not answer in time. */
const INVITE_TIMEOUT = "invite_timeout";
/** Reason of a channel that outlived its time to live. */
const TTL_EXPIRED = "ttl_expired";
/** Reason of a channel whose parent has ended. */
const PARENT_CLOSED = "parent_closed";

/** Milliseconds after which a transition is tried again that the store did not take. */
const RETRY_MS = 5_000;
/** Tries after which nobody waits any longer for a channel to open that cannot be read or written. */
const TRIES_WAITED_FOR = 3;

/** A transition that is due. */
interface DueEnd {
  readonly key: string;
  readonly channelId: string;
  readonly end: ChannelEnd;
  /** With it, a channel in another state by then is left alone. */
  readonly onlyWhile?: ChannelState | undefined;
}

/** Makes the {@link ChannelLifecycle} of a hub; `context` is used only after it is complete. */
export function createLifecycle(context: () => CoreContext): ChannelLifecycle {
  const running = new Set<Promise<void>>();

  const transition = async (due: DueEnd, tries: number): Promise<void> => {
    const { key, channelId, end, onlyWhile } = due;
    const { channels, logger, deadlines, clock, waiters } = context();
    try {
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
  const arm = (at: number, due: DueEnd): void => {
    context().deadlines.set(due.key, at, () => fire(due, 1));
  };
  /** A channel that winds up ends when nothing of it is outstanding, or at its time. */
  const armClosing = ({ channel_id: channelId, close_reason, wind_up }: ChannelMetadata): void => {
    const end = { state: "closed", reason: close_reason } as const;
    const due = { key: closingKey(channelId), channelId, end, onlyWhile: "closing" } as const;
    arm(parseTimestamp(wind_up?.until ?? "") ?? 0, due);
    context().delivery.whenIdle(channelId, () => fire(due, 1));
  };
  const lapse = async (channelId: string): Promise<void> => {
    const { clock, logger, channels } = context();
    try {
      await lapseInvites(context(), channelId);
    } catch (error) {
      if (error instanceof NotFoundError || channels.quarantined.has(channelId)) return;
      logger.warn({ err: error, channel_id: channelId }, "an invitation could not lapse in time");
      armInvites(channelId, clock.now() + RETRY_MS);
    }
  };
  const armInvites = (channelId: string, at: number): void => {
    context().deadlines.set(lateInviteKey(channelId), at, () => {
      const done = lapse(channelId).finally(() => running.delete(done));
      running.add(done);
    });
  };
  const resume = (metadata: ChannelMetadata): void => {
    const { channel_id: id, state, expires_at, created_at } = metadata;
    if (isTerminalState(state)) return;
    const expiry = expires_at === null ? null : parseTimestamp(expires_at);
    if (expiry !== null) {
      const end = { state: "expired", reason: TTL_EXPIRED } as const;
      arm(expiry, { key: ttlKey(id), channelId: id, end });
    }
    if (state === "closing") armClosing(metadata);
    const overdue = nextOverdue(context(), metadata);
    if (overdue !== null) armInvites(id, overdue);
    if (state !== "pending") return;
    const at = (parseTimestamp(created_at) ?? 0) + context().limits.inviteAckTimeoutMs;
    const end = { state: "closed", reason: INVITE_TIMEOUT } as const;
    arm(at, { key: inviteKey(id), channelId: id, end, onlyWhile: "pending" });
  };

  /** What was opened in the course of a channel that has ended goes with it. */
  const endWithin = (parentId: string): void => {
    const end = { state: "closed", reason: PARENT_CLOSED } as const;
    for (const channelId of context().channels.openWithin(parentId)) {
      fire({ key: parentKey(channelId), channelId, end }, 1);
    }
  };

  return {
    endWithin,
    resume,
    changed(metadata) {
      const { deadlines, waiters, delivery } = context();
      const { channel_id: id, state } = metadata;
      resume(metadata);
      if (state === "pending") return;
      if (metadata.invited === undefined) deadlines.clear(lateInviteKey(id));
      deadlines.clear(inviteKey(id));
      if (state === "active") waiters.resolve(metadata);
      if (!isTerminalState(state)) return;
      deadlines.clear(ttlKey(id));
      deadlines.clear(closingKey(id));
      delivery.whenIdle(id, null);
      endWithin(id);
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

function closingKey(channelId: string): string {
  return `channel-closing ${channelId}`;
}

function parentKey(channelId: string): string {
  return `channel-parent ${channelId}`;
}

function lateInviteKey(channelId: string): string {
  return `channel-late-invite ${channelId}`;
}

function inviteKey(channelId: string): string {
  return `channel-invite ${channelId}`;
}
