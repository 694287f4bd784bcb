import {
  type ChannelAdapter,
  type ChannelMetadata,
  createEnvelope,
  type Envelope,
  type EnvelopeDraft,
  envelopeSchema,
  eventPayloadSchemas,
  type Round,
  showsSomething,
} from "@colloquy/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import { deepFreeze } from "../deep-freeze.js";
import { type AdapterSubject, foldAll } from "./adapter-scenario.js";
import { arbitraryEnvelope } from "./channel-envelopes.js";
import { admitWishes, arbitraryWishes } from "./live-course.js";
import { expectJson, expectSame } from "./same-json.js";

/** Any envelope renders, to something or to nothing at all, and the same each time. */
export function checkRendering({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const property = fc.property(arbitraryEnvelope(scenario.channel), (envelope) => {
    const adapter = makeAdapter();
    const shown = adapter.renderEnvelope(deepFreeze(envelope));
    if (shown !== null) {
      expect(showsSomething(shown), "renderEnvelope gives null for what shows nothing").toBe(true);
    }
    expect(adapter.renderEnvelope(envelope)).toStrictEqual(shown);
    expect(adapter.turnInput(envelope)).toStrictEqual(makeAdapter().turnInput(envelope));
  });
  fc.assert(property, { numRuns: runs });
}

/** Text and packet envelopes are for the channel, and pass the hub's checks. */
export function checkDrafts({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const senderId = channel.creator_id;
  const property = fc.property(fc.string(), fc.option(fc.string(), { nil: null }), (text, note) => {
    const adapter = makeAdapter();
    const to = { channelId: channel.channel_id, senderId, audience: [senderId], causationId: "c1" };
    const contextSet = note === null ? {} : { note };
    const spoken = adapter.textEnvelope({ ...to, text });
    const packed = adapter.packetEnvelope({ ...to, body: text, contextSet });
    for (const draft of [spoken, packed]) {
      const envelope = expectSendable(channel, draft);
      expect(envelope).toMatchObject({ sender_id: senderId, causation_id: "c1" });
      expect(envelope.audience).toEqual([senderId]);
    }
  });
  fc.assert(property, { numRuns: runs });
}

/** A round of whoever is expected ends in nothing or in an envelope that is accepted. */
export function checkRounds({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const input = fc.tuple(arbitraryWishes(scenario), fc.constantFrom("said", "", " "), fc.boolean());
  const property = fc.property(input, ([wishes, body, alreadySpoke]) => {
    const adapter = makeAdapter();
    const course = admitWishes(adapter, channel, wishes);
    const state = foldAll(adapter, adapter.initialState(channel), course);
    const senderId = adapter.expectedNext(channel, state)?.agent_id ?? channel.creator_id;
    const round = roundOf(channel, state, { senderId, body, trigger: course.at(-1) ?? null });
    const draft = adapter.roundEnvelope({ ...round, alreadySpoke });
    if (draft === null) return;
    const envelope = expectSendable(channel, draft);
    expect(envelope.sender_id).toBe(senderId);
    expect(envelope.causation_id).toBe(round.trigger?.envelope_id ?? null);
    if (adapter.expectedNext(channel, state) === null) return;
    adapter.validateSend(channel, envelope, state);
  });
  fc.assert(property, { numRuns: runs });
}

/** What is made ready for the append passes the hub's check, and the envelope stays as it was. */
export function checkPrepare({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const property = fc.property(arbitraryEnvelope(channel), (envelope) => {
    const adapter = makeAdapter();
    const context = { resolveName: (name: string) => (name === "nobody" ? null : name) };
    const prepared = adapter.prepareSend?.(channel, deepFreeze(envelope), context);
    if (prepared === undefined) return;
    const { event_data } = prepared;
    expectPayload({ ...envelope, event_data: { ...event_data } });
    const again = adapter.prepareSend?.(channel, envelope, context);
    expectSame(again, prepared);
  });
  fc.assert(property, { numRuns: runs });
}

/** Tools have names of their own, and every participant has a view. */
export function checkOffers({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const property = fc.property(arbitraryWishes(scenario), (wishes) => {
    const adapter = makeAdapter();
    const course = admitWishes(adapter, channel, wishes);
    const state = foldAll(adapter, adapter.initialState(channel), course);
    for (const { agent_id } of channel.participants) {
      const names = toolNames(adapter, channel, state, agent_id);
      expect(new Set(names).size).toBe(names.length);
      const view = adapter.defaultView(channel, agent_id);
      expect(view.name).not.toBe("");
      expectJson(view);
    }
  });
  fc.assert(property, { numRuns: runs });
}

function toolNames(
  adapter: ChannelAdapter,
  channel: ChannelMetadata,
  state: unknown,
  agentId: string,
): string[] {
  const turn = {
    channelId: channel.channel_id,
    agentId,
    post: () => Promise.resolve("0".repeat(32)),
    resolveName: () => Promise.resolve(null),
  };
  return adapter.toolsFor(turn, channel, state, agentId).map((tool) => tool.name);
}

function roundOf(
  channel: ChannelMetadata,
  state: unknown,
  round: Pick<Round<unknown>, "senderId" | "body" | "trigger">,
): Round<unknown> {
  return {
    channelId: channel.channel_id,
    events: [],
    state,
    knobs: channel.knobs,
    alreadySpoke: false,
    resolveName: () => null,
    ...round,
  };
}

function expectSendable(channel: ChannelMetadata, draft: EnvelopeDraft): Envelope {
  const envelope = createEnvelope(draft);
  expect(envelopeSchema.parse(envelope)).toStrictEqual(envelope);
  expect(envelope.channel_id).toBe(channel.channel_id);
  expectPayload(envelope);
  return envelope;
}

function expectPayload({ event_type, event_data }: Envelope): void {
  const schema = eventPayloadSchemas.get(event_type);
  if (schema !== undefined) expectSame(schema.parse(event_data), event_data);
}
