import {
  type ChannelAdapter,
  createEnvelope,
  type Envelope,
  EV_TEXT,
  ProtocolError,
  showsSomething,
  textPartSchema,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { fakeChannel, fakeEnvelope } from "../fakes/fake-channel.js";
import { ADAPTER_RULES, runAdapterConformance } from "./adapter-conformance.js";

/** A strict schema that takes no key. */
const noKnobs = textPartSchema.pick({});

interface Turns {
  readonly count: number;
  readonly order: readonly string[];
  readonly trigger: string | null;
}

/** An adapter that obeys every rule: members speak in turn; a text of "bye" closes. */
function createSoundAdapter(): ChannelAdapter<Turns> {
  const speakerOf = ({ count, order }: Turns) => order[count % order.length] ?? "";
  const textOf = (e: Envelope) => (e.event_type === EV_TEXT ? String(e.event_data["text"]) : "");
  return {
    manifest: {
      type: "sound",
      version: 1,
      participants: { min: 1, max: null, roles: [] },
      knobs_schema: {},
      default_view_policy: "full_transcript",
      expectations: [],
    },
    knobs: noKnobs,
    validateCreate(channel) {
      if (channel.participants.length === 0) throw new ProtocolError("nobody takes part");
    },
    initialState: ({ participants }) => ({
      count: 0,
      order: participants.map(({ agent_id }) => agent_id),
      trigger: null,
    }),
    validateSend(_channel, envelope, state) {
      if (envelope.event_type !== EV_TEXT || envelope.sender_id === speakerOf(state)) return;
      throw new ProtocolError("out of turn");
    },
    fold(state, envelope) {
      if (envelope.event_type !== EV_TEXT) return state;
      return { ...state, count: state.count + 1, trigger: envelope.envelope_id };
    },
    onAccepted: (_channel, envelope) => (textOf(envelope) === "bye" ? { close: "bye" } : {}),
    expectedNext: (_channel, state) => ({
      agent_id: speakerOf(state),
      triggering_envelope_id: state.trigger,
    }),
    toolsFor: () => [],
    defaultView: () => ({ name: "full_transcript", args: {} }),
    renderEnvelope: (e) => (showsSomething(textOf(e)) ? textOf(e) : null),
    turnInput: (envelope) => textOf(envelope),
    textEnvelope: (draft) => ({
      channel_id: draft.channelId,
      sender_id: draft.senderId,
      audience: draft.audience ?? null,
      event_type: EV_TEXT,
      event_data: { text: draft.text },
      causation_id: draft.causationId ?? null,
    }),
    packetEnvelope(draft) {
      return this.textEnvelope({ ...draft, text: draft.body });
    },
    roundEnvelope({ channelId, senderId, body, trigger, alreadySpoke }) {
      if (alreadySpoke) return null;
      const causationId = trigger?.envelope_id ?? null;
      return this.textEnvelope({ channelId, senderId, text: body, causationId });
    },
  };
}

const channel = fakeChannel(createSoundAdapter().manifest, ["agent-a", "agent-b"]);
const bye = { event_data: { text: "bye" } };
const scenario = {
  name: "two",
  channel,
  course: [fakeEnvelope(channel, "agent-a"), fakeEnvelope(channel, "agent-b", bye)],
  closes: "bye",
};

runAdapterConformance("sound", createSoundAdapter, [scenario]);

type Fault = (sound: ChannelAdapter<Turns>) => Partial<ChannelAdapter<Turns>>;

let calls = 0;
const FAULTS: Readonly<Record<keyof typeof ADAPTER_RULES, readonly Fault[]>> = {
  "declares a manifest of the right shape": [
    ({ manifest }) => ({ manifest: { ...manifest, version: 2 } }),
    ({ manifest }) => ({ manifest: { ...manifest, type: "" } }),
  ],
  "takes the scenario's knobs and refuses an unknown one by its name": [
    () => ({ knobs: noKnobs.loose() }),
    () => ({ knobs: noKnobs.strip() }),
    () => ({ knobs: textPartSchema }),
  ],
  "accepts the scenario's course and ends as it says": [
    () => ({ onAccepted: () => ({}) }),
    () => ({ onAccepted: () => ({ close: "bye" }) }),
    () => ({
      validateSend: () => {
        throw new ProtocolError("no");
      },
    }),
  ],
  "R1: folds any envelopes, always to the same state": [
    ({ fold }) => ({ fold: (s, e) => ({ ...fold(s, e), salt: ++calls }) }),
    ({ fold }) => ({ fold: (s, e) => (e.event_type === EV_TEXT ? fold(s, e) : fail()) }),
  ],
  "R1: folds on replay what it folded live": [
    ({ fold }) => {
      let seen = 0;
      return { fold: (s, e) => ({ ...fold(s, e), seen: ++seen }) };
    },
    () => ({ onAccepted: (_c, _e, s) => Object.assign(s, { seen: true }) && {} }),
    ({ validateSend }) => ({
      validateSend: (c, e, s) => validateSend(c, e, Object.assign(s, { asked: true })),
    }),
  ],
  "R2: leaves state, envelope and channel as they are": [
    () => ({ fold: (s) => Object.assign(s, { count: s.count + 1 }) }),
    ({ fold }) => ({ fold: (s, e) => fold(s, Object.assign(e, { depth: 9 })) }),
  ],
  "R2: freezes nothing that belongs to others": [
    ({ fold }) => ({ fold: (s, e) => fold(s, Object.freeze(e)) }),
    ({ fold }) => ({
      fold(s, e) {
        Object.freeze(e.event_data);
        return fold(s, e);
      },
    }),
  ],
  "R3: gives the same state from a snapshot and the rest as from everything": [
    ({ fold }) => ({ fold: (s, e) => ({ ...fold(s, e), none: undefined }) }),
    ({ fold }) => ({ fold: (s, e) => ({ ...fold(s, e), at: new Map() }) }),
  ],
  "R4: lets protocol events pass and leaves the turn alone": [
    () => ({
      validateSend(_channel, envelope) {
        if (envelope.event_type !== EV_TEXT) throw new ProtocolError("texts only");
      },
    }),
    () => ({ fold: (s) => ({ ...s, count: s.count + 1 }) }),
    () => ({ onAccepted: () => ({ close: "at once" }) }),
  ],
  "R5: refuses with ProtocolError and nothing else": [
    () => ({
      validateSend: () => {
        throw new TypeError("oops");
      },
    }),
    () => ({
      validateSend: () => {
        throw new ProtocolError("");
      },
    }),
  ],
  "R6: has an initial state for every channel that it accepts": [
    () => ({ validateCreate: () => undefined, initialState: (c) => firstOf(c.participants) }),
    () => ({
      validateCreate: () => {
        throw new Error("no");
      },
    }),
    ({ initialState }) => ({ initialState: (c) => ({ ...initialState(c), at: new Set() }) }),
  ],
  "expects only participants, and accepts what they say": [
    () => ({ expectedNext: () => ({ agent_id: "nobody", triggering_envelope_id: null }) }),
    () => ({ expectedNext: (c) => ({ agent_id: c.creator_id, triggering_envelope_id: "x" }) }),
    () => ({ expectedNext: (c) => ({ agent_id: c.creator_id, triggering_envelope_id: null }) }),
  ],
  "hands a turn on to another participant, who is expected then": [
    () => ({ reassign: () => "nobody" }),
    () => ({ reassign: (_c, _s, agentId) => agentId }),
    () => ({ reassign: (c, _s, from) => otherThan(c.participants, from) }),
  ],
  "renders any envelope, and never to something blank": [
    ({ turnInput }) => ({ renderEnvelope: turnInput }),
    () => ({ renderEnvelope: (e) => (e.event_data["text"] as string).trim() || null }),
  ],
  "builds text and packet envelopes that pass the hub's checks": [
    ({ textEnvelope }) => ({ textEnvelope: (d) => ({ ...textEnvelope(d), channel_id: "x" }) }),
    ({ textEnvelope }) => ({ textEnvelope: (d) => ({ ...textEnvelope(d), event_data: {} }) }),
    ({ textEnvelope }) => ({
      packetEnvelope: (d) => textEnvelope({ ...d, text: "", audience: [] }),
    }),
  ],
  "ends rounds with envelopes that it accepts itself": [
    ({ roundEnvelope }) => ({
      roundEnvelope(round) {
        const draft = roundEnvelope.call(createSoundAdapter(), round);
        return draft === null ? null : { ...draft, sender_id: "nobody" };
      },
    }),
    ({ textEnvelope }) => ({
      roundEnvelope: ({ channelId, senderId }) => textEnvelope({ channelId, senderId, text: "" }),
    }),
  ],
  "prepares payloads that pass the hub's checks": [
    () => ({ prepareSend: () => ({ event_data: { set: 1, text: 1 }, notes: [] }) }),
    () => ({ prepareSend: (_c, e) => ({ event_data: e.event_data, notes: [`${++calls}`] }) }),
  ],
  "offers each tool once and a view to everybody": [
    () => ({ defaultView: () => ({ name: "", args: {} }) }),
    () => ({ toolsFor: () => [tool("say"), tool("say")] }),
  ],
};

describe("the rules of the kit", () => {
  const rows = Object.entries(FAULTS).flatMap(([rule, faults]) =>
    faults.map((fault, at) => ({ rule, at, fault })),
  );

  it.each(rows)("$rule: catches fault $at", ({ rule, fault }) => {
    const makeAdapter = () => {
      const sound = createSoundAdapter();
      return { ...sound, ...fault(sound) };
    };
    const check = ADAPTER_RULES[rule];
    expect(check).toBeDefined();
    const course = structuredClone(scenario.course);
    const subject = { scenario: { ...scenario, course }, runs: 200 };
    expect(() => check?.({ ...subject, makeAdapter: createSoundAdapter })).not.toThrow();
    expect(() => check?.({ ...subject, makeAdapter })).toThrow();
  });

  it("have each at least one fault that they catch", () => {
    expect(Object.keys(FAULTS)).toEqual(Object.keys(ADAPTER_RULES));
  });

  it("refuse to prove nothing", () => {
    expect(() => runAdapterConformance("none", createSoundAdapter, [])).toThrow(/no scenario/);
  });
});

function fail(): never {
  throw new Error("not total");
}

function otherThan(members: readonly { readonly agent_id: string }[], id: string): string | null {
  return members.find(({ agent_id }) => agent_id !== id)?.agent_id ?? null;
}

function firstOf(members: readonly { readonly agent_id: string }[]): Turns {
  const [first] = members;
  if (first === undefined) throw new Error("empty");
  return { count: 0, order: members.map(({ agent_id }) => agent_id), trigger: null };
}

function tool(name: string) {
  return {
    name,
    description: "",
    parameters: { type: "object" as const },
    run: () => Promise.resolve(createEnvelope),
  };
}
