import type { ChannelMetadata, ChannelState } from "../channel/channel-metadata.js";

/** Row numbers count envelopes over the whole store from 1; positions count per channel from 1. */
export interface StoredEnvelope {
  /** Place in the global order. */
  readonly row: number;
  readonly channel_id: string;
  /** Place in the channel. */
  readonly position: number;
  /** Row of the channel's previous envelope; 0 for the first. */
  readonly prev_row: number;
  /** Sorts above the id of every earlier row. */
  readonly envelope_id: string;
  readonly sender_id: string;
  readonly causation_id: string | null;
  readonly event_type: string;
  /** Chain hash, 64 hex characters: over the previous hash, the header and the content's digest. */
  readonly hash: string;
  /** SHA-256 of the content's JSON, 64 hex characters. */
  readonly content_digest: string;
  /** The envelope as JSON, keys in the schema's order. */
  readonly body: string;
}

/** The kinds of record that are kept by id beside the WAL. */
export const RECORD_KINDS = [
  "agent",
  "resume",
  "rule",
  "skill",
  "task",
  "ended_task",
  "task_index",
  "checkpoint",
  "track",
  "counted",
  "key",
  "meta",
  "dead_letter",
  "ledger",
] as const;
/** See {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The kinds that may be written in the lazy part; reading them first writes what waits, as other reads of lazy data do. */
export const LAZY_RECORD_KINDS: ReadonlySet<RecordKind> = new Set<RecordKind>([
  "dead_letter",
  "ledger",
]);

/** Writes one record; `value` null deletes it. */
export interface RecordWrite {
  readonly kind: RecordKind;
  readonly id: string;
  /** JSON text (for `skill`: the Markdown itself). */
  readonly value: string | null;
}

/** A record that was read. */
export interface StoredRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly value: string;
}

/** Writes a channel's metadata. */
export interface ChannelWrite {
  readonly channel: ChannelMetadata;
}

/**
 * What one participant has settled of one channel.
 *
 * Everything up to `floor` is settled; above it, the positions in `above`. `settled` is true when
 * nothing of a closed channel is outstanding any more.
 */
export interface DeliveryRecord {
  readonly agent_id: string;
  readonly channel_id: string;
  /** Newest acknowledged envelope id; empty for none. */
  readonly cursor: string;
  readonly floor: number;
  readonly above: readonly number[];
  readonly settled: boolean;
}

/** One line of the audit log: what happened, when, and facts by kind. */
export interface AuditRecord {
  readonly at: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** A channel's state folded up to a position. */
export interface Snapshot {
  readonly channel_id: string;
  readonly position: number;
  readonly row: number;
  readonly hash: string;
  /** JSON text; its shape belongs to the hub. */
  readonly state: string;
}

/**
 * One unit of work. Plain data, so that it may cross a thread.
 *
 * The durable part is all or nothing and synced when `commit` resolves. The lazy part rides along
 * with it, or goes within some 50 ms by itself; a crash may lose its newest end.
 */
export interface StoreBatch {
  readonly envelopes: readonly StoredEnvelope[];
  readonly channels: readonly ChannelWrite[];
  readonly records: readonly RecordWrite[];
  /** Delivery records that must not be lost; absent for none. A lazy one of the same batch is newer. */
  readonly deliveries?: readonly DeliveryRecord[];
  /** Audit records that must not be lost; absent for none. They come before the lazy ones of the same batch. */
  readonly audit?: readonly AuditRecord[];
  readonly lazy: {
    readonly deliveries: readonly DeliveryRecord[];
    readonly audit: readonly AuditRecord[];
    readonly snapshots: readonly Snapshot[];
    /** Records of {@link LAZY_RECORD_KINDS}; absent for none. Of one id the newest counts, and one of the durable part is older. */
    readonly records?: readonly RecordWrite[];
    /** Takes away the audit records up to this sequence number, after those of this batch are added, with them or not at all. */
    readonly prune_audit_to?: number;
  };
}

/** Which part of a channel's WAL to read. Omitted bounds are open. */
export interface WalRange {
  /** Positions strictly above this one; default 0. */
  readonly after?: number;
  /** Positions up to and including this one. */
  readonly upTo?: number;
  /** Only the newest so many of the range, still oldest first; more than a page of them come in pages. */
  readonly last?: number;
  /** At most so many, from the range's start (ignored with `last`); default and maximum 1,000. */
  readonly limit?: number;
}

/** Part of a WAL, oldest first. */
export interface WalPage {
  readonly envelopes: readonly StoredEnvelope[];
  /** `after` of the next page; null when the range is exhausted. */
  readonly next: number | null;
  /** Newest position of the channel; 0 when it has none or is unknown. */
  readonly head: number;
}

/** What to look for among what was said. */
export interface TextSearch {
  /**
   * From 1 to 1,000 characters, none of which has a special meaning. An envelope is found when
   * `spokenText` of it contains them in whatever case (`foldText`).
   */
  readonly text: string;
  /** Only of this channel; default: all. */
  readonly channel_id?: string;
  /** Positions of the named channel strictly above this one; of all channels, rows. Default 0. */
  readonly after?: number;
  /** Likewise strictly below this one; default: no bound. */
  readonly before?: number;
  /** Default `oldest` first. */
  readonly order?: "oldest" | "newest";
  /** Most envelopes to give; default and maximum 1,000. */
  readonly limit?: number;
}

/** A page of what was found, in the order of the search. */
export interface TextPage {
  readonly envelopes: readonly StoredEnvelope[];
  /**
   * The place that was looked at last: `after` of the next page, or `before` of it when the newest
   * come first. Null when there is nothing more. A page may be short, or empty, and still lead on, because
   * one call looks at 1,000 envelopes at most.
   */
  readonly next: number | null;
}

/** Which channels to list. */
export interface ChannelFilter {
  /** Only those with this participant. */
  readonly agent_id?: string;
  readonly states?: readonly ChannelState[];
  /** Creation order, oldest first; ids strictly above this one. */
  readonly after?: string;
  /** Default and maximum 1,000. */
  readonly limit?: number;
}

/** Which audit records are meant: those that match everything that is given. */
export interface AuditMatch {
  readonly kinds?: readonly string[];
  /** Of an agent, as `auditSubjects` finds it. */
  readonly agent_id?: string;
  readonly channel_id?: string;
  readonly refusal_id?: string;
  readonly idempotency_key?: string;
  /** From this time on, in the form of `formatTimestamp`. */
  readonly from?: string;
  /** Before this time. */
  readonly to?: string;
}

/** Which audit records to read. */
export interface AuditFilter extends AuditMatch {
  /** Sequence numbers strictly above this one; default 0. */
  readonly after?: number;
  /** Sequence numbers strictly below this one; default: no bound. */
  readonly before?: number;
  /** By sequence number; default `oldest` first. */
  readonly order?: "oldest" | "newest";
  /** Default and maximum 1,000. */
  readonly limit?: number;
}

/**
 * An audit record with its place in the log, from 1, and in its chain.
 *
 * `hash` is the SHA-256, as 64 hex characters, of `auditChainText` over the hash before, the place
 * and the record. Places have no gaps; what is taken away is taken away from the start.
 */
export interface StoredAuditRecord {
  readonly sequence: number;
  readonly record: AuditRecord;
  /** Hash of the record before; empty for the first. */
  readonly prev_hash: string;
  readonly hash: string;
}

/** The end of a channel's WAL. */
export interface ChannelHead {
  readonly position: number;
  readonly row: number;
  readonly hash: string;
}

/** A channel that is not closed, with what is needed to rebuild its state. */
export interface RecoveredChannel {
  readonly channel: ChannelMetadata;
  /** The end of its WAL; position 0, row 0 and an empty hash when it has no envelope. */
  readonly head: ChannelHead;
  readonly snapshot: Snapshot | null;
  /** Envelopes after the snapshot, or all. */
  readonly tail: readonly StoredEnvelope[];
}

/** A channel whose stored data cannot be read. The others are not affected. */
export interface BrokenChannel {
  readonly channel_id: string;
  /** The metadata as far as it can be read. */
  readonly channel: ChannelMetadata | null;
  readonly reason: string;
}

/** All that a hub needs to start, in one go. */
export interface Recovery {
  /** Newest row; 0 for an empty store. */
  readonly last_row: number;
  /** Newest envelope id; empty for none. */
  readonly last_envelope_id: string;
  /** Every record of the kinds that a hub keeps in memory: agent, resume, rule, key, meta, task. */
  readonly records: readonly StoredRecord[];
  /** Delivery records that are not settled, by agent and channel. */
  readonly deliveries: readonly DeliveryRecord[];
  /** Channels that are not closed, in creation order; read once. */
  readonly channels: AsyncIterable<RecoveredChannel | BrokenChannel>;
  /** What was mended while opening, in sentences for the log. */
  readonly repairs: readonly string[];
}

/** Facts for health and operators. */
export interface StoreHealth {
  /** False once a commit has failed and until one works again or the store is reopened. */
  readonly healthy: boolean;
  readonly reason: string;
  /** Bytes on disk; null where that means nothing. */
  readonly bytes: number | null;
  readonly audit_bytes: number;
  /** Bytes that are free for it on its disk; null or absent where that means nothing. */
  readonly free_bytes?: number | null;
  /** Facts of this kind of store, for operators: plain JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Durable, totally ordered storage. Every implementation passes the same conformance suite:
 *
 * - R1: when `commit` resolves, the durable part survives what `durability` says, all of it.
 * - R2: when `commit` rejects with `StoreError`, nothing of its durable part is visible, now or after reopening.
 * - R3: an envelope whose position is not head + 1, whose row is not the next, whose id does not sort above the newest or whose channel was never written is refused with `StoreError` and nothing is written; `checkAppend` does it.
 * - R4: reads see every resolved commit, never a part of one, and never block for the length of the log.
 * - R5: `recover` returns exactly what was committed; a channel that cannot be read is reported broken and hides no other.
 * - R6: after `close` every call rejects with `StoreError`; `close` may be repeated and writes the lazy part that is waiting.
 * - R7: a rejected commit that failed for lack of space or a lock leaves the store usable; a later one works when the cause is gone.
 * - R8: a search finds exactly the envelopes that were committed before it began and say the words, whatever index it uses; an index is never written inside a commit.
 *
 * The caller keeps one commit in flight; a store may rely on it.
 */
export interface Store {
  /** `sync`: survives power loss. `os`: survives a killed process. `none`: lives in memory. */
  readonly durability: "sync" | "os" | "none";
  /** True when a commit occupies the calling thread. */
  readonly blocks: boolean;

  recover(): Promise<Recovery>;
  commit(batch: StoreBatch): Promise<void>;

  readWal(channelId: string, range?: WalRange): Promise<WalPage>;
  /** One envelope by its id; null when there is none. */
  readEnvelope(envelopeId: string): Promise<StoredEnvelope | null>;
  /** Envelopes of the whole store in global order, rows strictly above `after`; default limit and maximum 1,000. */
  readLog(after: number, limit?: number): Promise<readonly StoredEnvelope[]>;
  /** What was said with some words in it; of an unknown channel nothing. */
  searchText(search: TextSearch): Promise<TextPage>;

  readChannel(channelId: string): Promise<ChannelMetadata | null>;
  listChannels(filter?: ChannelFilter): Promise<readonly ChannelMetadata[]>;
  readHead(channelId: string): Promise<ChannelHead>;
  readSnapshot(channelId: string): Promise<Snapshot | null>;

  readRecord(kind: RecordKind, id: string): Promise<string | null>;
  /** Records of one kind by id, ids strictly above `after`; default limit and maximum 1,000. */
  listRecords(kind: RecordKind, after?: string, limit?: number): Promise<readonly StoredRecord[]>;

  /** Delivery records of an agent, or of an agent in a channel. */
  readDeliveries(agentId: string, channelId?: string): Promise<readonly DeliveryRecord[]>;
  readAudit(filter?: AuditFilter): Promise<readonly StoredAuditRecord[]>;

  health(): StoreHealth;
  close(): Promise<void>;
}

/** A batch with nothing in it, to be spread over. */
export const EMPTY_BATCH: StoreBatch = {
  envelopes: [],
  channels: [],
  records: [],
  lazy: { deliveries: [], audit: [], snapshots: [] },
};
