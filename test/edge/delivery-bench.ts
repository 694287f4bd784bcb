import {
  type ChannelMetadata,
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  type DeliveryRecord,
  type Envelope,
  type EnvelopeDraft,
  EV_CHANNEL_CLOSED,
  EV_TEXT,
  formatTimestamp,
  HUB_EVENTS,
  type PassportInput,
  type RecordKind,
  type RecordWrite,
  type RuleInput,
  type StoredEnvelope,
  type StoredRecord,
  type WalRange,
} from "@colloquy/protocol";
import {
  createFakeClock,
  createFakeIds,
  createFakePeer,
  createRecordingLogger,
} from "@colloquy/testkit";
import { createDeadlines } from "../../packages/hub/src/core/deadline-heap.js";
import { DEFAULT_HUB_LIMITS, type HubLimits } from "../../packages/hub/src/core/hub-limits.js";
import { createDelivery } from "../../packages/hub/src/delivery/create-delivery.js";
import type { BoundConnection, Delivery } from "../../packages/hub/src/delivery/delivery.js";
import type { HubListener } from "../../packages/hub/src/observe/hub-listener.js";
import { createListeners } from "../../packages/hub/src/observe/listeners.js";
import { createRuleArbiter } from "../../packages/hub/src/policy/rule-arbiter.js";
import { createAgentTable } from "../../packages/hub/src/registry/mutable-agent-table.js";

/** What a bench is made with. */
export interface DeliveryBenchOptions {
  readonly limits?: Partial<HubLimits>;
  readonly listener?: HubListener;
}

/** A channel of a bench: its WAL and what delivery sees of it. */
export interface BenchChannel {
  readonly id: string;
  metadata: Pick<ChannelMetadata, "state" | "participants" | "invited">;
  readonly head: { position: number };
  committed: number;
  readonly participants: ReadonlySet<string>;
  readonly addressed: ReadonlySet<string>;
  readonly wal: StoredEnvelope[];
}

/**
 * Delivery alone: real agent table, arbiter, deadlines and listeners, a store that is a list, and
 * peers that keep what they get.
 */
export function createDeliveryBench({ limits = {}, listener }: DeliveryBenchOptions = {}) {
  const clock = createFakeClock();
  const ids = createFakeIds();
  const logger = createRecordingLogger();
  const agents = createAgentTable();
  const channels = new Map<string, BenchChannel>();
  const listeners = createListeners(logger);
  if (listener !== undefined) listeners.add(listener);
  const records = new Map<string, DeliveryRecord>();
  const kept = new Map<string, StoredRecord>();
  const keep = (written: readonly RecordWrite[]): void => {
    for (const { kind, id, value } of written) {
      if (value === null) kept.delete(`${kind} ${id}`);
      else kept.set(`${kind} ${id}`, { kind, id, value });
    }
  };
  const keptOf = (kind: RecordKind): StoredRecord[] =>
    [...kept.values()]
      .filter((record) => record.kind === kind)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  const faults = { failReads: 0, failCommits: 0, reads: 0 };
  let inMemory = new Set<string>();

  const context = {
    clock,
    logger,
    limits: { ...DEFAULT_HUB_LIMITS, ...limits },
    agents,
    listeners,
    deadlines: createDeadlines(clock),
    arbiter: createRuleArbiter(),
    committer: {
      lazily({
        deliveries,
        records: written = [],
      }: {
        deliveries: readonly DeliveryRecord[];
        records?: readonly RecordWrite[];
      }) {
        keep(written);
        for (const record of deliveries) {
          records.set(`${record.agent_id} ${record.channel_id}`, record);
        }
      },
      async stage({ records: written }: { records: readonly RecordWrite[] }) {
        if (faults.failCommits > 0) {
          faults.failCommits -= 1;
          throw new Error("the disk is full");
        }
        keep(written);
      },
    },
    channels: {
      peek: (id: string) => (inMemory.has(id) ? channels.get(id) : undefined),
      metadata: async (id: string) => channels.get(id)?.metadata ?? null,
    },
    store: {
      async readWal(channelId: string, { after = 0, limit = 1_000 }: WalRange = {}) {
        faults.reads += 1;
        if (faults.failReads > 0) {
          faults.failReads -= 1;
          throw new Error("the disk is away");
        }
        const wal = channels.get(channelId)?.wal ?? [];
        const envelopes = wal.filter(({ position }) => position > after).slice(0, limit);
        const last = envelopes.at(-1)?.position ?? after;
        return { envelopes, next: last < wal.length ? last : null, head: wal.length };
      },
      async readDeliveries(agentId: string, channelId = "") {
        const record = records.get(`${agentId} ${channelId}`);
        return record === undefined ? [] : [record];
      },
      async readEnvelope(envelopeId: string) {
        for (const { wal } of channels.values()) {
          const found = wal.find(({ envelope_id }) => envelope_id === envelopeId);
          if (found !== undefined) return found;
        }
        return null;
      },
    },
  };
  let delivery: Delivery = createDelivery(context);

  return {
    clock,
    logger,
    agents,
    faults,
    records,
    channels,
    /** Where arbiters are replaced. */
    context,
    get delivery() {
      return delivery;
    },
    register(
      name: string,
      rule: RuleInput = {},
      more: Partial<Omit<PassportInput, "name">> = {},
    ): string {
      const id = `agent-${name}`;
      const passport = createPassport({ name, agent_id: id, ...more });
      agents.put({ id, passport, resume: createResume(), rule: createRule(rule) });
      return id;
    },
    open(...participants: string[]): BenchChannel {
      const channel: BenchChannel = {
        id: `channel-${channels.size + 1}`,
        metadata: {
          state: "active",
          participants: participants.map((agent_id, order) => ({
            agent_id,
            role: "participant",
            order,
            joined_at: "",
          })),
        },
        head: { position: 0 },
        committed: 0,
        participants: new Set(participants),
        addressed: new Set(participants),
        wal: [],
      };
      channels.set(channel.id, channel);
      inMemory.add(channel.id);
      return channel;
    },
    /** Commits an envelope and releases it; gives it as stamped. */
    post(channel: BenchChannel, sender: string, draft: Partial<EnvelopeDraft> = {}): Envelope {
      const envelope = createEnvelope({
        channel_id: channel.id,
        sender_id: sender,
        event_type: EV_TEXT,
        event_data: { text: "hello" },
        ...draft,
        envelope_id: ids.next(),
        created_at: formatTimestamp(clock.now()),
      });
      const text = JSON.stringify(envelope);
      const position = channel.wal.length + 1;
      channel.wal.push({
        row: position,
        channel_id: channel.id,
        position,
        prev_row: position - 1,
        envelope_id: envelope.envelope_id,
        sender_id: sender,
        causation_id: envelope.causation_id,
        event_type: envelope.event_type,
        hash: "",
        content_digest: "",
        body: text,
      });
      channel.head.position = position;
      channel.committed = position;
      const named = envelope.audience ?? [...channel.participants];
      const isOwn = (id: string): boolean => id === sender && !HUB_EVENTS.has(envelope.event_type);
      const members = named.filter((id) => !isOwn(id));
      if (envelope.event_type === EV_CHANNEL_CLOSED) {
        channel.metadata = { ...channel.metadata, state: "closed" };
      }
      delivery.release({ live: channel, envelope, text, position, recipients: members });
      return envelope;
    },
    /** A new connection with these agents bound to it. */
    connect(...agentIds: string[]) {
      const peer = createFakePeer();
      const connection = {
        endpointId: ids.next(),
        receive: () => undefined,
        receiveBad: () => undefined,
        closed: () => undefined,
      };
      const bound: BoundConnection = { endpointId: connection.endpointId, peer, connection };
      for (const agentId of agentIds) delivery.bind(agentId, bound);
      return { peer, bound };
    },
    ack(recipient: string, envelope: Envelope): boolean {
      return delivery.receipt({ ...receiptOf(recipient, envelope), status: "ack", reason: "" });
    },
    nack(recipient: string, envelope: Envelope, reason = "busy"): boolean {
      return delivery.receipt({ ...receiptOf(recipient, envelope), status: "nack", reason });
    },
    /** A new process on the same store: open channels are loaded, ended ones are not. */
    async restart(options: { readonly crash?: boolean } = {}): Promise<void> {
      if (options.crash !== true) delivery.stop();
      const open = [...channels.values()].filter(({ metadata }) => metadata.state !== "closed");
      inMemory = new Set(open.map(({ id }) => id));
      delivery = createDelivery(context);
      delivery.restore([...records.values()].filter(({ settled }) => !settled));
      delivery.restoreLedger(keptOf("ledger"));
      for (const channel of open) {
        const from = delivery.oldestUnsettled(channel);
        const unsettled = channel.wal.filter(({ position }) => position >= from);
        delivery.load(channel, delivery.weigh(channel, unsettled));
      }
      await delivery.restoreDeadLetters(keptOf("dead_letter"));
    },
  };
}

function receiptOf(recipient_id: string, { channel_id, envelope_id }: Envelope) {
  return { recipient_id, channel_id, envelope_id };
}
