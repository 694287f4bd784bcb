import type {
  AuditRecord,
  ChannelMetadata,
  DeliveryRecord,
  RecordWrite,
  StoreBatch,
  StoredEnvelope,
} from "@colloquy/protocol";
import type { StagedWork } from "./committer.js";

/**
 * Puts staged works into one batch, in their order. A channel or a record that several of them
 * write is written once, as the newest of them has it.
 */
export function toBatch(works: readonly StagedWork[], lazy: StoreBatch["lazy"]): StoreBatch {
  const envelopes: StoredEnvelope[] = [];
  const channels = new Map<string, ChannelMetadata>();
  const records = new Map<string, RecordWrite>();
  const deliveries: DeliveryRecord[] = [];
  const audit: AuditRecord[] = [];
  for (const work of works) {
    for (const envelope of work.envelopes ?? []) envelopes.push(envelope);
    for (const { channel } of work.channels ?? []) channels.set(channel.channel_id, channel);
    for (const delivery of work.deliveries ?? []) deliveries.push(delivery);
    for (const record of work.audit ?? []) audit.push(record);
    for (const record of work.records ?? []) records.set(`${record.kind} ${record.id}`, record);
  }
  return {
    envelopes,
    channels: [...channels.values()].map((channel) => ({ channel })),
    records: [...records.values()],
    ...(deliveries.length === 0 ? {} : { deliveries }),
    ...(audit.length === 0 ? {} : { audit }),
    lazy,
  };
}

/** Ids of the channels that these works write to, each once. */
export function touchedChannels(works: readonly StagedWork[]): string[] {
  const touched = new Set<string>();
  for (const work of works) {
    for (const envelope of work.envelopes ?? []) touched.add(envelope.channel_id);
    for (const { channel } of work.channels ?? []) touched.add(channel.channel_id);
  }
  return [...touched];
}

/** Envelopes in these works. */
export function countEnvelopes(works: readonly StagedWork[]): number {
  return works.reduce((sum, work) => sum + (work.envelopes?.length ?? 0), 0);
}
