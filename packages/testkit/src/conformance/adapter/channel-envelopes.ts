import {
  CHANNEL_EVENTS,
  type ChannelMetadata,
  createEnvelope,
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CONTEXT_SET,
  EV_EXPECTATION_VIOLATED,
  EV_PACKET,
  EV_TASK_CANCEL_REQUEST,
  EV_TEXT,
  EV_TURN_REASSIGNED,
} from "@colloquy/protocol";
import fc from "fast-check";

/** Somebody who takes no part in any channel of the kit. */
export const STRANGER = "agent-of-no-channel";

const KEYS = ["route", "stage", "constructor", "toString", "hasOwnProperty", "", "0"];
const BLANKS = ["", " ", "\n\t", "\u200b"];

/**
 * Envelopes of a channel as the hub would hand them to an adapter: any event type, with a payload
 * that passes the hub's check, from any participant or a stranger. Most of them are out of turn.
 */
export function arbitraryEnvelope(channel: ChannelMetadata): fc.Arbitrary<Envelope> {
  const ids = [...channel.participants.map(({ agent_id }) => agent_id), STRANGER];
  const event = fc.oneof(
    { weight: 4, arbitrary: textEvent() },
    { weight: 4, arbitrary: packetEvent(ids) },
    { weight: 2, arbitrary: contextEvent() },
    { weight: 1, arbitrary: protocolEvent(channel) },
    { weight: 1, arbitrary: hubEvent(ids) },
    { weight: 1, arbitrary: customEvent() },
  );
  return envelopeOf(channel, ids, event);
}

/** Events of a channel's life and of tasks, from participants: no turn rule applies to them. */
export function arbitraryProtocolEnvelope(channel: ChannelMetadata): fc.Arbitrary<Envelope> {
  const ids = channel.participants.map(({ agent_id }) => agent_id);
  return envelopeOf(channel, ids, protocolEvent(channel));
}

interface Event {
  readonly event_type: string;
  readonly event_data: Record<string, unknown>;
}

function envelopeOf(
  channel: ChannelMetadata,
  ids: readonly string[],
  event: fc.Arbitrary<Event>,
): fc.Arbitrary<Envelope> {
  return fc
    .record({
      event,
      serial: fc.nat({ max: 0xffff }),
      sender_id: fc.constantFrom(...ids),
      audience: fc.option(fc.subarray([...ids]), { freq: 3, nil: null }),
      causation_id: fc.option(fc.constantFrom("0".repeat(32), "f".repeat(32)), { nil: null }),
    })
    .map(({ event: { event_type, event_data }, serial, ...rest }) =>
      createEnvelope({
        envelope_id: serial.toString(16).padStart(32, "0"),
        channel_id: channel.channel_id,
        event_type,
        event_data,
        created_at: "2026-01-01T00:00:00.000000+00:00",
        ...rest,
      }),
    );
}

function textEvent(): fc.Arbitrary<Event> {
  const text = fc.oneof(fc.string(), fc.constantFrom(...BLANKS));
  return text.map((said) => ({ event_type: EV_TEXT, event_data: { text: said } }));
}

function packetEvent(ids: readonly string[]): fc.Arbitrary<Event> {
  const routing = fc.record(
    {
      kind: fc.constantFrom("text", "handoff", "finish"),
      tool: nullish(fc.constantFrom("t", "u", "")),
      target: nullish(fc.constantFrom(...ids, "", "nobody", "__proto__")),
      reason: nullish(fc.string({ maxLength: 8 })),
      summary: nullish(fc.string({ maxLength: 8 })),
    },
    { requiredKeys: ["kind"] },
  );
  const packet = fc.record(
    {
      routing: nullish(routing),
      context_updates: nullish(updates()),
      context: nullish(variables()),
      body: nullish(fc.oneof(fc.string(), fc.constantFrom(...BLANKS))),
    },
    { requiredKeys: [] },
  );
  return packet.map((event_data) => ({ event_type: EV_PACKET, event_data: plain(event_data) }));
}

function contextEvent(): fc.Arbitrary<Event> {
  return updates().map((event_data) => ({
    event_type: EV_CONTEXT_SET,
    event_data: plain(event_data),
  }));
}

function updates() {
  return fc.record(
    {
      set: nullish(variables()),
      delete: nullish(fc.array(fc.constantFrom(...KEYS, "__proto__"), { maxLength: 3 })),
    },
    { requiredKeys: [] },
  );
}

function variables(): fc.Arbitrary<Record<string, unknown>> {
  const key = fc.constantFrom(...KEYS);
  return fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });
}

function protocolEvent(channel: ChannelMetadata): fc.Arbitrary<Event> {
  const { channel_id, manifest, creator_id, knobs, labels } = channel;
  const end = { channel_id, reason: "test" };
  const life = [...CHANNEL_EVENTS].map((event_type) => ({
    event_type,
    event_data:
      event_type === EV_CHANNEL_INVITE
        ? {
            channel_id,
            manifest_type: manifest.type,
            manifest_version: manifest.version,
            creator_id,
            knobs,
            labels,
          }
        : end,
  }));
  const task = { task_id: "task-1", reason: "test" };
  return fc.constantFrom(
    ...life,
    { event_type: EV_TASK_CANCEL_REQUEST, event_data: task },
    { event_type: "ag2.task.progress", event_data: task },
  );
}

/** What the hub says about expectations; a reassignment may name anybody. */
function hubEvent(ids: readonly string[]): fc.Arbitrary<Event> {
  const expectation = "turn_within";
  const notice = fc.subarray([...ids]).map((violators) => ({
    event_type: EV_EXPECTATION_VIOLATED,
    event_data: { expectation, violators, detail: {} },
  }));
  const someone = fc.constantFrom(...ids, "", "__proto__");
  const reassignment = fc.record({ from: someone, to: someone }).map((turn) => ({
    event_type: EV_TURN_REASSIGNED,
    event_data: { ...turn, expectation },
  }));
  return fc.oneof(notice, reassignment);
}

function customEvent(): fc.Arbitrary<Event> {
  const type = fc.constantFrom("custom.event", "ag2.msg.text2");
  const data = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
    noNullPrototype: true,
  });
  return fc
    .record({ event_type: type, event_data: data })
    .map(({ event_type, event_data }) => ({ event_type, event_data: plain(event_data) }));
}

function nullish<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(value, { freq: 6, nil: null });
}

/** As it arrives: read from a JSON text. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
