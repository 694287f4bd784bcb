import {
  type ChannelWrite,
  type DeliveryRecord,
  EMPTY_BATCH,
  type RecordWrite,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { AgentLine, DeliveryLine } from "../export/export-lines.js";
import type { ImportTarget } from "./import-target.js";
import { startNumbering } from "./number-envelopes.js";
import { readExport } from "./read-export.js";

/** What waits to be committed. */
interface Waiting {
  records: RecordWrite[];
  channels: ChannelWrite[];
  envelopes: StoredEnvelope[];
  deliveries: DeliveryRecord[];
}

/**
 * Writes an export that was checked into its target. Agents that the target knows are left as
 * they are.
 *
 * @param onEnvelope - called with the number of envelopes so far
 */
export async function writeImport(
  path: string,
  target: ImportTarget,
  onEnvelope: (count: number) => void,
): Promise<void> {
  const { store } = target;
  const numbering = startNumbering(target.lastRow);
  let waiting = nothing();
  let count = 0;
  const commit = async (): Promise<void> => {
    const { deliveries, ...durable } = waiting;
    waiting = nothing();
    await store.commit({ ...durable, lazy: { ...EMPTY_BATCH.lazy, deliveries } });
    onEnvelope(count);
  };
  for await (const { line } of readExport(path)) {
    switch (line.kind) {
      case "agent": {
        const known = await store.readRecord("agent", line.passport.agent_id ?? "");
        if (known === null) waiting.records.push(...recordsOf(line));
        break;
      }
      case "channel":
        waiting.channels.push({ channel: line.channel });
        break;
      case "delivery":
        waiting.deliveries.push(deliveryOf(line));
        break;
      case "envelope":
        count += 1;
        waiting.envelopes.push(numbering.next(line));
        if (waiting.envelopes.length >= target.batchSize) await commit();
        break;
      case "end":
        break;
    }
  }
  await commit();
}

function nothing(): Waiting {
  return { records: [], channels: [], envelopes: [], deliveries: [] };
}

function recordsOf({ passport, resume, rule, skill }: AgentLine): RecordWrite[] {
  const id = passport.agent_id ?? "";
  const records: RecordWrite[] = [{ kind: "agent", id, value: JSON.stringify(passport) }];
  if (resume !== null) records.push({ kind: "resume", id, value: JSON.stringify(resume) });
  if (rule !== null) records.push({ kind: "rule", id, value: JSON.stringify(rule) });
  if (skill !== null) records.push({ kind: "skill", id, value: skill });
  return records;
}

function deliveryOf({ kind: _kind, ...record }: DeliveryLine): DeliveryRecord {
  return record;
}
