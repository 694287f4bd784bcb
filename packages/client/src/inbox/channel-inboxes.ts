import type { Clock, Envelope } from "@colloquy/protocol";
import { createEnvelopeQueue, type EnvelopeQueue, type WritableQueue } from "./envelope-queue.js";

/** Bounds of a participant's inboxes. */
export interface InboxBounds {
  /** Unread envelopes per channel; beyond it the oldest is left out. Default 1,000. */
  readonly perChannel: number;
  /** Channels with an inbox; beyond it the one that was quiet for longest is given up. Default 1,000. */
  readonly channels: number;
}

/** Defaults of {@link InboxBounds}. */
export const DEFAULT_INBOX_BOUNDS: InboxBounds = { perChannel: 1_000, channels: 1_000 };

/** A participant's inboxes, one per channel, made when they are first needed. */
export interface ChannelInboxes {
  has(channelId: string): boolean;
  /** The inbox of a channel; the same object each time until it is discarded. */
  ensure(channelId: string): EnvelopeQueue;
  discard(channelId: string): void;
  push(envelope: Envelope): void;
  end(error: Error): void;
}

/** Makes {@link ChannelInboxes}. */
export function createChannelInboxes(clock: Clock, bounds: InboxBounds): ChannelInboxes {
  /** In order of use: the quietest first. */
  const inboxes = new Map<string, WritableQueue>();
  let ended: Error | null = null;

  const giveUpQuietest = (): void => {
    for (const [channelId, inbox] of inboxes) {
      if (inboxes.size <= bounds.channels) return;
      if (inbox.waiting === 0) inboxes.delete(channelId);
    }
  };
  const ensure = (channelId: string): WritableQueue => {
    const known = inboxes.get(channelId);
    if (known !== undefined) {
      inboxes.delete(channelId);
      inboxes.set(channelId, known);
      return known;
    }
    const made = createEnvelopeQueue(clock, bounds.perChannel);
    if (ended !== null) made.end(ended);
    inboxes.set(channelId, made);
    giveUpQuietest();
    return made;
  };
  return {
    has: (channelId) => inboxes.has(channelId),
    ensure,
    discard: (channelId) => void inboxes.delete(channelId),
    push: (envelope) => ensure(envelope.channel_id).push(envelope),
    end(error) {
      ended = error;
      for (const inbox of inboxes.values()) inbox.end(error);
    },
  };
}
