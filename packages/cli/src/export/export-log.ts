import {
  type ChannelMetadata,
  formatTimestamp,
  publicPassport,
  type Store,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { AgentDirectory } from "../data/agent-directory.js";
import { everIn } from "../data/ever-in.js";
import { eachOfChannel, eachRow } from "../data/read-pages.js";
import { CliError } from "../errors/cli-error.js";
import { escapeJson, toSafeJson } from "../output/escape-text.js";
import { readBody } from "../wal/read-body.js";
import {
  type AgentLine,
  type ChannelLine,
  type DeliveryLine,
  type EndLine,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type HeaderLine,
} from "./export-lines.js";
import type { Cut } from "./take-cut.js";

/** What is exported. */
export interface LogExport {
  readonly store: Store;
  readonly agents: AgentDirectory;
  readonly cut: Cut;
  /** Only this channel; undefined is all. */
  readonly channelId?: string | undefined;
  /** Epoch milliseconds for the header. */
  readonly nowMs: number;
  onEnvelope(row: number): void;
}

/**
 * The lines of an export, without line ends: header, agents, channels, envelopes in global order,
 * what was settled, and an end that counts them. Safe to look at on a terminal.
 *
 * @throws CliError when a stored body is no JSON object
 */
export async function* exportLines(job: LogExport): AsyncGenerator<string, void, undefined> {
  const { store, cut, nowMs } = job;
  const exported_at = formatTimestamp(nowMs);
  yield line<HeaderLine>({ format: EXPORT_FORMAT, version: EXPORT_VERSION, exported_at });
  let agents = 0;
  for await (const agent of agentLines(job)) {
    agents += 1;
    yield line(agent);
  }
  for (const channel of cut.channels) yield line<ChannelLine>({ kind: "channel", channel });
  let envelopes = 0;
  const heads = new Map<string, number>();
  for await (const stored of rowsOf(job)) {
    envelopes += 1;
    heads.set(stored.channel_id, stored.position);
    job.onEnvelope(stored.row);
    yield envelopeLine(stored);
  }
  let deliveries = 0;
  for (const channel of cut.channels) {
    for await (const delivery of deliveryLines(store, channel, heads)) {
      deliveries += 1;
      yield line(delivery);
    }
  }
  yield line<EndLine>({
    kind: "end",
    agents,
    channels: cut.channels.length,
    envelopes,
    deliveries,
  });
}

/** Only agents that take part in what is exported, and that are still registered. */
async function* agentLines({
  store,
  agents,
  cut,
}: LogExport): AsyncGenerator<AgentLine, void, undefined> {
  const members = new Set(cut.channels.flatMap(everIn));
  for (const passport of agents.passports) {
    const id = passport.agent_id ?? "";
    if (!members.has(id)) continue;
    yield {
      kind: "agent",
      passport: publicPassport(passport),
      resume: parsed(await store.readRecord("resume", id)) as AgentLine["resume"],
      rule: parsed(await store.readRecord("rule", id)) as AgentLine["rule"],
      skill: await store.readRecord("skill", id),
    };
  }
}

async function* rowsOf({
  store,
  cut,
  channelId,
}: LogExport): AsyncGenerator<StoredEnvelope, void, undefined> {
  if (channelId === undefined) return yield* eachRow(store, 0, cut.upTo);
  for await (const stored of eachOfChannel(store, channelId)) {
    if (stored.row > cut.upTo) return;
    yield stored;
  }
}

/** What was settled behind the cut is left out, since its envelopes are. */
async function* deliveryLines(
  store: Store,
  channel: ChannelMetadata,
  heads: ReadonlyMap<string, number>,
): AsyncGenerator<DeliveryLine, void, undefined> {
  const head = heads.get(channel.channel_id) ?? 0;
  for (const agentId of everIn(channel)) {
    const [record] = await store.readDeliveries(agentId, channel.channel_id);
    if (record === undefined) continue;
    yield {
      kind: "delivery",
      agent_id: record.agent_id,
      channel_id: record.channel_id,
      cursor: record.cursor,
      floor: Math.min(record.floor, head),
      above: record.above.filter((position) => position <= head),
      settled: record.settled,
    };
  }
}

/** The stored body goes in as it is, so that its digest and hash can be computed again. */
function envelopeLine(stored: StoredEnvelope): string {
  const { row, position, hash, content_digest } = stored;
  if (readBody(stored) === null) {
    throw new CliError(
      `position ${position} of channel ${stored.channel_id} holds no envelope and cannot be exported.`,
      { remedy: "`colloquy wal verify` shows what is broken; --channel exports another channel." },
    );
  }
  const head = JSON.stringify({ kind: "envelope", row, position, hash, content_digest });
  return escapeJson(`${head.slice(0, -1)},"envelope":${stored.body}}`);
}

function line<T>(value: T): string {
  return toSafeJson(value);
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
