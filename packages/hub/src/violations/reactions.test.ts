import {
  agentTarget,
  createDefaultAdapters,
  createDiscussionAdapter,
  fromSpeaker,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { EV_EXPECTATION_VIOLATED, EV_TURN_REASSIGNED, ProtocolError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { openHub } from "../open-hub.js";

async function openBench(options: Partial<HubOptions> = {}) {
  const clock = createFakeClock();
  const hub = await openHub({
    store: createMemoryStore(),
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  const fired: string[] = [];
  hub.addListener({
    onExpectationFired: (_id, { name, on_violation }, violators) =>
      void fired.push(`${name} ${on_violation} ${violators.map((id) => hub.nameFor(id)).join()}`),
  });
  const bench = createHubBench(hub);
  const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
  const pass = (seconds: number) => clock.advanceAsync(seconds * 1_000);
  const notices = async (id: string, type = EV_EXPECTATION_VIOLATED) =>
    (await hub.readWal(id)).filter(({ event_type }) => event_type === type);
  const speaker = async (id: string) => {
    const { state } = await hub.adapterState(id);
    const adapter = await hub.adapterFor(id);
    const next = adapter.expectedNext(await hub.getChannel(id), state);
    return next === null ? null : hub.nameFor(next.agent_id);
  };
  const refusals = async () =>
    (await hub.audit.readAll()).filter(({ kind }) => kind === "expectation_reaction_refused");
  return { ...bench, hub, clock, fired, pass, notices, speaker, refusals, a, b, c };
}

/** The knob with one expectation of turns in place of the type's own. */
const turns = (on_violation: string, seconds: number) => ({
  expectations: [{ name: "turn_within", on_violation, params: { seconds } }],
});

describe("what the channel types ship", () => {
  it("F-011 a consulting channel closes when the question is not answered", async () => {
    const { hub, open, say, pass, fired, a, b } = await openBench();
    const { channel_id: id } = await open("consulting", a, [b]);
    await say(id, a, "why?");
    await pass(600);
    expect(await hub.getChannel(id)).toMatchObject({
      ...{ state: "closed", close_reason: "expectation_violated:reply_within" },
    });
    expect(fired).toEqual(["reply_within auto_close b"]);
  });

  it("F-011 a discussion warns who is silent, then hides it, and the next one is expected", async () => {
    const { hub, open, say, pass, fired, notices, speaker, a, b, c } = await openBench();
    const { channel_id: id } = await open("discussion", a, [b, c], { ttl: 0 });
    await say(id, a, "well?");
    await pass(120);
    expect(await notices(id)).toMatchObject([
      { audience: [b], event_data: { expectation: "turn_within", violators: [b] } },
    ]);
    expect(await speaker(id)).toBe("b");
    await pass(480);
    expect(fired).toEqual(["turn_within warn b", "turn_within hide b"]);
    expect(await speaker(id)).toBe("c");
    const { participants } = await hub.getChannel(id);
    expect(participants.filter(({ hidden }) => hidden).map(({ agent_id }) => agent_id)).toEqual([
      b,
    ]);
  });

  it("F-011 a workflow warns who is silent, then closes", async () => {
    const { hub, open, pass, fired, a, b } = await openBench();
    const graph = { initial_speaker: a, transitions: [transition(fromSpeaker(a), agentTarget(b))] };
    const { channel_id: id } = await open("workflow", a, [b], { ttl: 0, knobs: { graph } });
    await pass(600);
    expect(fired).toEqual(["turn_within warn a", "turn_within auto_close a"]);
    expect(await hub.getChannel(id)).toMatchObject({
      ...{ state: "closed", close_reason: "expectation_violated:turn_within" },
    });
  });
});

describe("reassign", () => {
  it("gives a discussion's turn to the next in order, who may speak, and only that one", async () => {
    const { open, say, pass, notices, speaker, a, b, c } = await openBench();
    const knobs = turns("reassign", 60);
    const { channel_id: id } = await open("discussion", a, [b, c], { ttl: 0, knobs });
    await say(id, a, "well?");
    await pass(60);
    const [envelope] = await notices(id, EV_TURN_REASSIGNED);
    expect(envelope).toMatchObject({
      ...{ audience: [a, b, c], sender_id: a },
      event_data: { from: b, to: c, expectation: "turn_within" },
    });
    expect(await speaker(id)).toBe("c");
    await expect(say(id, b, "too late")).rejects.toThrow(ProtocolError);
    await say(id, c, "I will", { causation_id: envelope?.envelope_id ?? "" });
    expect(await speaker(id)).toBe("a");
    await pass(60);
    expect(await speaker(id)).toBe("b");
  });

  it("gives a workflow's turn to whom its graph names, and is refused where that would end it", async () => {
    const { open, say, pass, speaker, refusals, fired, a, b, c } = await openBench();
    const graph = {
      initial_speaker: a,
      transitions: [
        transition(fromSpeaker(a), agentTarget(b)),
        transition(fromSpeaker(b), agentTarget(c)),
      ],
      default_target: terminateTarget(),
    };
    const knobs = { graph, ...turns("reassign", 60) };
    const { channel_id: id } = await open("workflow", a, [b, c], { ttl: 0, knobs });
    await say(id, a, "first");
    await pass(60);
    expect(await speaker(id)).toBe("c");
    await pass(60);
    expect(await speaker(id)).toBe("c");
    expect(fired).toEqual(["turn_within reassign b", "turn_within reassign c"]);
    expect(await refusals()).toMatchObject([
      { channel_id: id, on_violation: "reassign", reason: expect.stringContaining("nobody") },
    ]);
  });

  it("is refused by a type that hands no turn on", async () => {
    const { hub, open, pass, refusals, a, b } = await openBench();
    const knobs = turns("reassign", 60);
    const { channel_id: id } = await open("consulting", a, [b], { ttl: 0, knobs });
    await pass(60);
    expect(await refusals()).toMatchObject([
      { reason: expect.stringContaining("hands no turn on") },
    ]);
    expect((await hub.getChannel(id)).state).toBe("active");
  });
});

it("remove takes the violator out; a channel of too few then closes", async () => {
  const { hub, open, pass, speaker, a, b, c } = await openBench();
  const knobs = turns("remove", 60);
  const { channel_id: id } = await open("discussion", a, [b, c], { ttl: 0, knobs });
  await pass(60);
  const ids = (await hub.getChannel(id)).participants.map(({ agent_id }) => agent_id);
  expect(ids).toEqual([b, c]);
  expect(await speaker(id)).toBe("b");
  await pass(60);
  expect((await hub.getChannel(id)).close_reason).toBe("too_few_participants");
});

// Departure of design section 8: "violations fire once per channel life" in AG2.
it("violations re-arm after new activity, and only then", async () => {
  const { open, say, pass, fired, a, b } = await openBench();
  const { channel_id: id } = await open("conversation", a, [b], { ttl: 0 });
  await pass(4 * 3_600);
  expect(fired).toHaveLength(1);
  await say(id, a, "anybody?");
  await pass(3_599);
  expect(fired).toHaveLength(1);
  await pass(1);
  expect(fired).toHaveLength(2);
});

// Departure of design section 8: `applies_to` is declared only in AG2.
it("applies_to limits an expectation to a role, a name or an id", async () => {
  for (const wanted of ["respondent", "b"]) {
    const { open, say, pass, fired, a, b } = await openBench();
    const entry = { name: "max_silence", params: { seconds: 60 }, applies_to: [wanted] };
    const knobs = { expectations: [entry] };
    const { channel_id: id } = await open("conversation", a, [b], { ttl: 0, knobs });
    await pass(59);
    await say(id, a, "only a speaks");
    await pass(1);
    expect(fired).toEqual(["max_silence audit b"]);
  }
});

it("says what is violated next, when and by whom", async () => {
  const { hub, clock, open, say, pass, a, b, c } = await openBench();
  const { channel_id: id } = await open("discussion", a, [b, c], { ttl: 0 });
  await pass(10);
  await say(id, a, "well?");
  const next = await hub.nextExpectation(id);
  expect(next).toMatchObject({
    ...{ expectation: { name: "turn_within", on_violation: "warn" }, violator_ids: [b] },
  });
  expect(Date.parse(next?.due_at ?? "")).toBe(clock.now() + 120_000);
  await pass(120);
  expect((await hub.nextExpectation(id))?.expectation.on_violation).toBe("hide");
  await hub.closeChannel(id);
  expect(await hub.nextExpectation(id)).toBeNull();
});

it("two channels do not share what a discussion adapter expects", async () => {
  const expectations = [
    { name: "turn_within", on_violation: "audit", params: { seconds: 5 }, applies_to: null },
  ];
  const adapters = [createDiscussionAdapter({ expectations })];
  const { open, say, pass, fired, a, b, c } = await openBench({ adapters });
  const first = await open("discussion", a, [b], { ttl: 0 });
  await open("discussion", b, [c], { ttl: 0 });
  await pass(3);
  await say(first.channel_id, a, "in time");
  await pass(2);
  expect(fired).toEqual(["turn_within audit b"]);
});
