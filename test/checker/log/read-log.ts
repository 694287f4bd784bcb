import type { Finding } from "../finding.js";
import { headerShape, type Line, lineShape } from "./line-shapes.js";
import type { Log, LoggedAgent, LoggedChannel, LoggedDelivery, LoggedEnvelope } from "./log.js";
import { type Members, membersAfter } from "./members.js";

/** A log as far as it could be read, and what was wrong with its lines. */
export interface ReadLog {
  readonly log: Log;
  readonly findings: readonly Finding[];
}

/** The order in which the kinds of lines come. */
const ORDER: readonly Line["kind"][] = ["agent", "channel", "envelope", "delivery", "end"];

interface Reading {
  readonly agents: Map<string, LoggedAgent>;
  readonly channels: Map<string, LoggedChannel>;
  readonly envelopes: LoggedEnvelope[];
  /** Who takes part in each channel, up to here. */
  readonly members: Map<string, Members>;
  readonly byId: Map<string, LoggedEnvelope>;
  readonly deliveries: LoggedDelivery[];
  readonly findings: Finding[];
  readonly counts: Record<Line["kind"], number>;
  newest: Line["kind"];
}

/**
 * Reads an export. Lines that are no such lines are reported and left out, so that the rest can
 * still be checked.
 *
 * @param name - for the findings
 */
export async function readLog(
  name: string,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ReadLog> {
  const reading: Reading = {
    agents: new Map(),
    channels: new Map(),
    envelopes: [],
    members: new Map(),
    byId: new Map(),
    deliveries: [],
    findings: [],
    counts: { agent: 0, channel: 0, envelope: 0, delivery: 0, end: 0 },
    newest: "agent",
  };
  let number = 0;
  for await (const text of lines) {
    number += 1;
    takeLine(reading, `${name}:${number}`, number, text);
  }
  if (reading.counts.end === 0) {
    report(reading, "count", `${name}:${number}`, "the file has no end line: it was cut off");
  }
  return { log: reading, findings: reading.findings };
}

function takeLine(reading: Reading, where: string, number: number, text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    report(reading, "format", where, "the line is no JSON");
    return;
  }
  if (number === 1) {
    const header = headerShape.safeParse(value);
    if (!header.success) report(reading, "format", where, `no header: ${words(header.error)}`);
    return;
  }
  const parsed = lineShape.safeParse(value);
  if (!parsed.success) {
    report(reading, "format", where, words(parsed.error));
    return;
  }
  const line = parsed.data;
  checkOrder(reading, where, line);
  reading.counts[line.kind] += 1;
  keep(reading, where, line, value);
}

function checkOrder(reading: Reading, where: string, line: Line): void {
  if (reading.counts.end > 0) report(reading, "count", where, "the line stands behind the end");
  else if (ORDER.indexOf(line.kind) < ORDER.indexOf(reading.newest)) {
    report(reading, "count", where, `a line of kind ${line.kind} behind one of ${reading.newest}`);
  }
  reading.newest = line.kind;
}

function keep(reading: Reading, where: string, line: Line, value: unknown): void {
  switch (line.kind) {
    case "agent":
      reading.agents.set(line.passport.agent_id, toAgent(line));
      break;
    case "channel":
      keepChannel(reading, where, line);
      break;
    case "envelope":
      keepEnvelope(reading, toEnvelope(reading, where, line, value));
      break;
    case "delivery": {
      const { agent_id, channel_id, cursor, floor, above, settled } = line;
      const ids = { agentId: agent_id, channelId: channel_id };
      reading.deliveries.push({ where, ...ids, cursor, floor, above, settled });
      break;
    }
    case "end":
      checkCounts(reading, where, line);
      break;
  }
}

function toAgent({ passport, rule }: Extract<Line, { kind: "agent" }>): LoggedAgent {
  const text = JSON.stringify(rule);
  const isOpen = rule === null || text.includes('"inbound_from":["*"]');
  return {
    name: passport.name,
    isHuman: passport.kind === "human",
    isPicky: !isOpen || text.includes('"drop_'),
  };
}

function keepChannel(
  reading: Reading,
  where: string,
  { channel }: Extract<Line, { kind: "channel" }>,
): void {
  if (reading.channels.has(channel.channel_id)) {
    report(reading, "count", where, `channel ${channel.channel_id} is there twice`);
    return;
  }
  const founders = idsOf(channel.founders ?? channel.participants);
  reading.members.set(channel.channel_id, { order: founders, hidden: [] });
  reading.channels.set(channel.channel_id, {
    where,
    id: channel.channel_id,
    type: channel.manifest.type,
    creatorId: channel.creator_id,
    founders,
    members: idsOf(channel.participants),
    state: channel.state,
    closeReason: channel.close_reason,
    requiredAcks: channel.required_acks,
    knobs: channel.knobs,
    envelopes: [],
  });
}

function idsOf(
  members: readonly { readonly agent_id: string; readonly order: number }[],
): string[] {
  return [...members].sort((a, b) => a.order - b.order).map(({ agent_id }) => agent_id);
}

/** `value` is the line before it was checked, whose keys are in the order of the file. */
function toEnvelope(
  { members }: Pick<Reading, "members">,
  where: string,
  { row, position, hash, content_digest, envelope }: Extract<Line, { kind: "envelope" }>,
  value: unknown,
): LoggedEnvelope {
  const { event_type: eventType, event_data: data, channel_id: channelId } = envelope;
  const before = members.get(channelId) ?? { order: [], hidden: [] };
  const after = membersAfter(before, { eventType, data });
  members.set(channelId, after);
  return {
    where,
    row,
    position,
    hash,
    contentDigest: content_digest,
    id: envelope.envelope_id,
    channelId,
    senderId: envelope.sender_id,
    audience: envelope.audience,
    eventType,
    data,
    causationId: envelope.causation_id,
    key: envelope.idempotency_key,
    ttlSeconds: envelope.ttl_seconds,
    before,
    after,
    whole: (value as { readonly envelope: Record<string, unknown> }).envelope,
  };
}

function keepEnvelope(reading: Reading, envelope: LoggedEnvelope): void {
  reading.envelopes.push(envelope);
  if (!reading.byId.has(envelope.id)) reading.byId.set(envelope.id, envelope);
  const channel = reading.channels.get(envelope.channelId);
  if (channel !== undefined) channel.envelopes.push(envelope);
  else {
    const message = `the envelope is of channel ${envelope.channelId}, which the log does not hold`;
    report(reading, "channel", envelope.where, message);
  }
}

function checkCounts(reading: Reading, where: string, end: Extract<Line, { kind: "end" }>): void {
  const { counts } = reading;
  const pairs = [
    ["agents", counts.agent, end.agents],
    ["channels", counts.channel, end.channels],
    ["envelopes", counts.envelope, end.envelopes],
    ["deliveries", counts.delivery, end.deliveries],
  ] as const;
  for (const [what, found, told] of pairs) {
    if (found === told) continue;
    report(reading, "count", where, `the file holds ${found} ${what}, its end counts ${told}`);
  }
}

function report(reading: Reading, kind: Finding["kind"], where: string, message: string): void {
  reading.findings.push({ kind, where, message });
}

function words(error: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): string {
  const [issue] = error.issues;
  return issue === undefined ? "no such line" : `${issue.path.join(".")}: ${issue.message}`;
}
