import type { DeltaFrame, Envelope, Logger } from "@colloquy/protocol";
import { messageOf } from "../errors.js";

/** Hears what comes of a channel, in the order in which it comes. */
export interface ChannelObserver {
  /** An envelope has come for the first time; its position is null on the bare profile. */
  onEnvelope(envelope: Envelope, position: number | null): void;
  /** The participant has said something itself, which nobody sends it. */
  onPosted(position: number | null): void;
  /** A piece of an answer has come. */
  onDelta(delta: DeltaFrame): void;
}

/** Observers by channel. */
export interface ChannelObservers {
  /** Adds one; gives what takes it away. */
  add(channelId: string, observer: ChannelObserver): () => void;
  /** Tells those of a channel. One that throws is logged and hurts no other. */
  tell(channelId: string, what: (observer: ChannelObserver) => void): void;
}

/** Makes {@link ChannelObservers}. */
export function createChannelObservers(logger: Logger): ChannelObservers {
  const observers = new Map<string, Set<ChannelObserver>>();
  return {
    add(channelId, observer) {
      const present = observers.get(channelId) ?? new Set();
      observers.set(channelId, present.add(observer));
      return () => {
        present.delete(observer);
        if (present.size === 0 && observers.get(channelId) === present) observers.delete(channelId);
      };
    },
    tell(channelId, what) {
      for (const observer of [...(observers.get(channelId) ?? [])]) {
        try {
          what(observer);
        } catch (error) {
          logger.error({ channel_id: channelId, error: messageOf(error) }, "an observer threw");
        }
      }
    },
  };
}
