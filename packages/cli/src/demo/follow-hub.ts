import type { Hub, HubListener } from "@colloquy/hub";
import type { ChannelMetadata, Envelope } from "@colloquy/protocol";

/** An envelope in its place. */
export interface SeenEnvelope {
  readonly channel: ChannelMetadata;
  readonly position: number;
  readonly envelope: Envelope;
}

/** What a follower does with what it reads. */
export interface FollowPorts {
  show(seen: SeenEnvelope): Promise<void>;
  /** Something could not be read or shown. */
  onFault(error: unknown): void;
}

/** Somebody who reads along on a hub of this process. */
export interface HubFollower {
  /** Resolves when everything that is committed by now has been shown. */
  caughtUp(): Promise<void>;
  stop(): void;
}

/**
 * Shows every envelope that is committed from now on, with its position, in the order of its channel.
 *
 * It reads the log behind the hub's notices, so that nothing is left out that notices do not carry.
 */
export async function followHub(
  hub: Pick<Hub, "listChannels" | "getChannel" | "readPage" | "addListener" | "removeListener">,
  { show, onFault }: FollowPorts,
): Promise<HubFollower> {
  const shown = new Map<string, number>();
  const open = await hub.listChannels({ states: ["pending", "active", "closing"], limit: null });
  for (const { channel_id } of open) {
    shown.set(channel_id, (await hub.readPage(channel_id, { last: 1, limit: 1 })).head);
  }
  let work: Promise<void> = Promise.resolve();
  const showNew = async (channelId: string): Promise<void> => {
    const channel = await hub.getChannel(channelId);
    for (let next: number | null = shown.get(channelId) ?? 0; next !== null; ) {
      const page: Awaited<ReturnType<Hub["readPage"]>> = await hub.readPage(channelId, {
        after: next,
      });
      for (const [at, envelope] of page.envelopes.entries()) {
        const position = page.positions[at] ?? 0;
        shown.set(channelId, position);
        await show({ channel, position, envelope });
      }
      next = page.next;
    }
  };
  const look = (channelId: string): void => {
    work = work.then(() => showNew(channelId)).catch(onFault);
  };
  const listener: HubListener = {
    onEnvelopePosted: ({ channel_id }) => look(channel_id),
    onChannelEvent: (channelId) => look(channelId),
  };
  hub.addListener(listener);
  return {
    caughtUp: () => work,
    stop: () => hub.removeListener(listener),
  };
}
