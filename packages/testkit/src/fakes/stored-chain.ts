import { createHash } from "node:crypto";
import {
  type ChannelHead,
  type ChannelMetadata,
  channelMetadataSchema,
  createEnvelope,
  EMPTY_BATCH,
  EV_TEXT,
  formatTimestamp,
  type IdSource,
  type StoreBatch,
  type StoredEnvelope,
} from "@colloquy/protocol";
import { FAKE_START_MS } from "./fake-clock.js";
import { createFakeIds } from "./fake-ids.js";

/** What may be chosen of a made envelope; everything else follows from its place in the chain. */
export interface ChainFields {
  /** Default: the channel's creator. */
  readonly sender_id?: string;
  /** Default: `<channel's number>.<position>`. */
  readonly text?: string;
  /** The whole payload; default: `text` alone. */
  readonly event_data?: Readonly<Record<string, unknown>>;
  /** Default: a text. */
  readonly event_type?: string;
  readonly causation_id?: string | null;
}

/** What may be chosen of a made channel. */
export type ChannelFields = Partial<
  Pick<ChannelMetadata, "channel_id" | "state" | "labels" | "knobs"> & {
    /** Ids of the members; the first is the creator. Default: `alice`, `bob`. */
    readonly members: readonly string[];
  }
>;

/**
 * Makes envelopes that continue a store's log, the same ones every time.
 *
 * The maker advances with each envelope, whether it is committed or not; `mark` and `rewind` bring
 * it back to where the store really is. Hashes form a chain of the right shape; they are not those
 * of a hub.
 */
export interface ChainMaker {
  /** Metadata of a new channel with the next id; unknown to the store until committed. */
  channel(fields?: ChannelFields): ChannelMetadata;
  /** The next envelope of a channel. */
  next(channelId: string, fields?: ChainFields): StoredEnvelope;
  /** The next `count` envelopes of a channel. */
  take(channelId: string, count: number): StoredEnvelope[];
  /** The end of a channel's chain as made so far. */
  head(channelId: string): ChannelHead;
  /** Remembers where the maker is. */
  mark(): ChainMark;
  /** Forgets what was made since. Ids are not used again. */
  rewind(mark: ChainMark): void;
}

/** A place to which a {@link ChainMaker} can go back. */
export interface ChainMark {
  readonly row: number;
  readonly heads: ReadonlyMap<string, ChannelHead>;
}

/** Makes a {@link ChainMaker}; `seed` as for `createFakeIds`, default 0. */
export function createChainMaker(seed = 0): ChainMaker {
  const ids: IdSource = createFakeIds(seed);
  const numbers = new Map<string, number>();
  let heads = new Map<string, ChannelHead>();
  let row = 0;
  const head = (channelId: string): ChannelHead =>
    heads.get(channelId) ?? { position: 0, row: 0, hash: "" };

  const maker: ChainMaker = {
    channel(fields = {}) {
      const { members = ["alice", "bob"], channel_id = ids.next(), ...rest } = fields;
      numbers.set(channel_id, numbers.size + 1);
      return channelMetadataSchema.parse({
        channel_id,
        manifest: { type: "conversation" },
        creator_id: members[0] ?? "alice",
        participants: members.map((agent_id, order) => ({
          agent_id,
          role: order === 0 ? "initiator" : "respondent",
          order,
        })),
        state: "active",
        created_at: formatTimestamp(FAKE_START_MS + numbers.size),
        ...rest,
      });
    },
    next(channelId, fields = {}) {
      const before = head(channelId);
      const position = before.position + 1;
      row += 1;
      const text = fields.text ?? `${numbers.get(channelId) ?? 0}.${position}`;
      const envelope = createEnvelope({
        envelope_id: ids.next(),
        channel_id: channelId,
        sender_id: fields.sender_id ?? "alice",
        event_type: fields.event_type ?? EV_TEXT,
        event_data: fields.event_data ?? { text },
        causation_id: fields.causation_id ?? null,
        created_at: formatTimestamp(FAKE_START_MS + row),
      });
      const digest = sha256(JSON.stringify(envelope.event_data));
      const hash = sha256(`${before.hash}\n${envelope.envelope_id}\n${position}\n${digest}`);
      heads.set(channelId, { position, row, hash });
      return {
        row,
        channel_id: channelId,
        position,
        prev_row: before.row,
        envelope_id: envelope.envelope_id,
        sender_id: envelope.sender_id,
        causation_id: envelope.causation_id,
        event_type: envelope.event_type,
        hash,
        content_digest: digest,
        body: JSON.stringify(envelope),
      };
    },
    take: (channelId, count) => Array.from({ length: count }, () => maker.next(channelId)),
    head,
    mark: () => ({ row, heads: new Map(heads) }),
    rewind(mark) {
      row = mark.row;
      heads = new Map(mark.heads);
    },
  };
  return maker;
}

/** A batch with these parts; what is left out is empty. */
export function batchOf(
  parts: Partial<Omit<StoreBatch, "channels" | "lazy">> & {
    readonly channels?: readonly ChannelMetadata[];
    readonly lazy?: Partial<StoreBatch["lazy"]>;
  },
): StoreBatch {
  return {
    envelopes: parts.envelopes ?? [],
    channels: (parts.channels ?? []).map((channel) => ({ channel })),
    records: parts.records ?? [],
    ...(parts.deliveries === undefined ? {} : { deliveries: parts.deliveries }),
    ...(parts.audit === undefined ? {} : { audit: parts.audit }),
    lazy: { ...EMPTY_BATCH.lazy, ...parts.lazy },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
