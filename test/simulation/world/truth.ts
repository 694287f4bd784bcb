import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type ChannelAdapter,
  type ChannelMetadata,
  channelAtStart,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  foldMembership,
  type Participant,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { HubHost } from "./hub-host.js";
import { require } from "./violation.js";

/** A channel as the disk has it. */
export interface TrueChannel {
  readonly id: string;
  /** With the members after its newest envelope; knobs are for life. */
  metadata: ChannelMetadata;
  readonly adapter: ChannelAdapter;
  readonly envelopes: Envelope[];
  /** State after each position; the first is that before the first envelope. */
  readonly states: unknown[];
  isOver: boolean;
}

/** An envelope as the disk has it. */
export interface TrueEnvelope {
  readonly envelope: Envelope;
  readonly position: number;
  readonly channel: TrueChannel;
  /** The channel's members when it was said. */
  readonly members: readonly Participant[];
  /** Its JSON. */
  readonly body: string;
}

/** What is on the disk, read beside the hub and folded again. */
export interface Truth {
  readonly channels: ReadonlyMap<string, TrueChannel>;
  readonly byId: ReadonlyMap<string, TrueEnvelope>;
  readonly rows: number;
  /** Reads what is new and checks its order; gives the channels that have grown. */
  advance(host: HubHost): Promise<readonly TrueChannel[]>;
  /** Reads everything again: nothing that was there may have changed. */
  verifyAll(host: HubHost): Promise<void>;
}

/** Makes an empty {@link Truth}. */
export function createTruth(): Truth {
  const adapters = new Map(createDefaultAdapters().map((one) => [one.manifest.type, one]));
  const channels = new Map<string, TrueChannel>();
  const byId = new Map<string, TrueEnvelope>();
  const log: StoredEnvelope[] = [];

  const channelOf = async (host: HubHost, id: string): Promise<TrueChannel> => {
    const known = channels.get(id);
    if (known !== undefined) return known;
    const metadata = await host.withDisk((store) => store.readChannel(id));
    const adapter = adapters.get(metadata?.manifest.type ?? "");
    require(metadata !== null && adapter !== undefined, () => `channel ${id} has no metadata`);
    const founded = channelAtStart(metadata);
    const made = {
      id,
      metadata: founded,
      adapter,
      envelopes: [],
      states: [adapter.initialState(founded)],
      isOver: false,
    };
    channels.set(id, made);
    return made;
  };
  const take = (channel: TrueChannel, stored: StoredEnvelope): void => {
    const last = log.at(-1);
    const at = `row ${stored.row}`;
    require(stored.row === log.length + 1, () => `${at} follows row ${log.length}`);
    require(stored.envelope_id > (last?.envelope_id ?? ""), () =>
      `${at}: id ${stored.envelope_id} does not sort above ${last?.envelope_id}`);
    require(stored.position === channel.envelopes.length + 1, () =>
      `${at}: position ${stored.position} follows ${channel.envelopes.length}`);
    require(!channel.isOver, () => `${at} stands behind the end of channel ${channel.id}`);
    const envelope = JSON.parse(stored.body) as Envelope;
    log.push(stored);
    channel.envelopes.push(envelope);
    channel.isOver = isEnd(envelope);
    channel.states.push(channel.adapter.fold(channel.states.at(-1), envelope));
    const { position, body } = stored;
    const members = channel.metadata.participants;
    byId.set(stored.envelope_id, { envelope, position, channel, members, body });
    channel.metadata = foldMembership(channel.metadata, envelope);
  };

  return {
    channels,
    byId,
    get rows() {
      return log.length;
    },
    async advance(host) {
      const grown = new Set<TrueChannel>();
      for (;;) {
        const page = await host.readLog(log.length);
        if (page.length === 0) return [...grown];
        for (const stored of page) {
          const channel = await channelOf(host, stored.channel_id);
          take(channel, stored);
          grown.add(channel);
        }
      }
    },
    async verifyAll(host) {
      for (let after = 0; after < log.length; ) {
        const page = await host.readLog(after);
        require(page.length > 0, () => `the log has lost its rows behind ${after}`);
        for (const stored of page) {
          const known = log[stored.row - 1];
          const isSame =
            known === undefined || (known.hash === stored.hash && known.body === stored.body);
          require(isSame, () => `row ${stored.row} has changed`);
        }
        after = page.at(-1)?.row ?? after;
      }
    },
  };
}

function isEnd({ event_type }: Envelope): boolean {
  return event_type === EV_CHANNEL_CLOSED || event_type === EV_CHANNEL_EXPIRED;
}
