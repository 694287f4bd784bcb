import {
  agentTarget,
  contextEquals,
  createDefaultAdapters,
  fromSpeaker,
  revertToInitiator,
  roundRobinGraph,
  sequenceGraph,
  terminateTarget,
  toolCalled,
  transition,
} from "@colloquy/adapters";
import {
  type EnvelopeDraft,
  EV_CHANNEL_CLOSED,
  EV_CONTEXT_SET,
  EV_PACKET,
  handoff,
  ProtocolError,
} from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(memory: MemoryStore = createMemoryStore()) {
  const { hub, context } = await assembleHub({
    store: memory,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  const bench = createHubBench(hub);
  const stateOf = async (channelId: string) =>
    (await hub.adapterState(channelId)).state as Readonly<Record<string, unknown>>;
  const setContext = (channelId: string, sender: string, event_data: EnvelopeDraft["event_data"]) =>
    hub.post({ channel_id: channelId, sender_id: sender, event_type: EV_CONTEXT_SET, event_data });
  const packet = (channelId: string, sender: string, event_data: EnvelopeDraft["event_data"]) =>
    hub.post({ channel_id: channelId, sender_id: sender, event_type: EV_PACKET, event_data });
  return { hub, context, memory, ...bench, stateOf, setContext, packet };
}

/** A workflow among agents named after the letters; the graph is made from their ids. */
async function openWorkflow(
  names: string,
  graph: (ids: readonly string[]) => unknown,
  knobs: Readonly<Record<string, unknown>> = {},
) {
  const bench = await openBench();
  const rule = { limits: { inbox: { max_pending: 0 } } };
  const ids = await Promise.all([...names].map((name) => bench.join(name, { rule })));
  const [a = "", b = "", c = ""] = ids;
  const { channel_id: id, state } = await bench.open("workflow", a, ids.slice(1), {
    knobs: { graph: graph(ids), ...knobs },
  });
  expect(state).toBe("active");
  return { ...bench, ids, a, b, c, id };
}

const roundRobin = (ids: readonly string[]) => roundRobinGraph(ids, 8);

describe("discussion", () => {
  it("N-050 goes round, and back to the first", async () => {
    const bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const { channel_id: id } = await bench.open("discussion", a, [b, c]);
    const next: unknown[] = [];
    for (const speaker of [a, b, c]) {
      await bench.say(id, speaker, "word");
      next.push((await bench.stateOf(id))["expected_next_speaker"]);
    }
    expect(next).toEqual([b, c, a]);
    expect(await bench.stateOf(id)).toMatchObject({ turn_count: 3, last_speaker_id: c });
  });
});

describe("workflow", () => {
  it("N-065 takes packets of people, posted straight to the hub", async () => {
    const bench = await openBench();
    const a = await bench.join("a", { kind: "human" });
    const b = await bench.join("b", { kind: "human" });
    const graph = {
      initial_speaker: a,
      transitions: [
        transition(fromSpeaker(a), agentTarget(b)),
        transition(fromSpeaker(b), revertToInitiator()),
      ],
      default_target: terminateTarget(),
      max_turns: 8,
    };
    const channel = await bench.open("workflow", a, [b], { knobs: { graph } });
    expect(channel.state).toBe("active");
    const id = channel.channel_id;
    const adapter = await bench.hub.adapterFor(id);
    const own = { channelId: id, body: "text" };
    await bench.hub.post(adapter.packetEnvelope({ ...own, senderId: a }));
    expect(await bench.stateOf(id)).toMatchObject({
      expected_next_speaker: b,
      last_speaker_id: a,
    });
    await bench.hub.post(adapter.packetEnvelope({ ...own, senderId: b, handoff: handoff(a) }));
    expect(await bench.stateOf(id)).toMatchObject({
      expected_next_speaker: a,
      last_speaker_id: b,
    });
  });

  it("N-066 N-067 N-068 N-069 sets and deletes context variables, out of turn, and moves no turn", async () => {
    const { id, a, b, stateOf, setContext } = await openWorkflow("ab", roundRobin);
    const before = await stateOf(id);
    await setContext(id, a, { set: { p: 1, t: 2 } });
    expect((await stateOf(id))["context_vars"]).toEqual({ p: 1, t: 2 });
    await setContext(id, a, { delete: ["t"], set: { r: true } });
    expect((await stateOf(id))["context_vars"]).toEqual({ p: 1, r: true });
    expect(before["expected_next_speaker"]).toBe(a);
    await setContext(id, b, { set: { by_b: "yes" } });
    const after = await stateOf(id);
    expect(after["context_vars"]).toEqual({ p: 1, r: true, by_b: "yes" });
    expect(after["turn_count"]).toBe(before["turn_count"]);
    expect(after["expected_next_speaker"]).toBe(a);
  });

  it("N-079 applies a packet's context before it chooses the next speaker", async () => {
    const { id, a, c, stateOf, packet } = await openWorkflow("abc", ([a = "", b = "", t = ""]) => ({
      initial_speaker: a,
      transitions: [
        transition(contextEquals("category", "billing"), agentTarget(b)),
        transition(contextEquals("category", "technical"), agentTarget(t)),
      ],
      default_target: terminateTarget(),
      max_turns: null,
    }));
    await packet(id, a, { body: "x", context_updates: { set: { category: "technical" } } });
    expect(await stateOf(id)).toMatchObject({
      context_vars: { category: "technical" },
      expected_next_speaker: c,
    });
  });

  it("N-080 a target that a packet names outranks the graph", async () => {
    const { id, a, c, stateOf, packet } = await openWorkflow("axy", ([a = "", x = ""]) => ({
      initial_speaker: a,
      transitions: [transition(toolCalled("t"), agentTarget(x))],
      default_target: terminateTarget(),
      max_turns: null,
    }));
    await packet(id, a, { body: "", routing: { kind: "handoff", tool: "t", target: c } });
    expect((await stateOf(id))["expected_next_speaker"]).toBe(c);
  });

  it("N-081 goes round by turns, and refuses who is not next", async () => {
    const { id, a, b, c, say, stateOf } = await openWorkflow("abc", roundRobinGraph);
    expect((await stateOf(id))["expected_next_speaker"]).toBe(a);
    for (const speaker of [a, b, c]) await say(id, speaker, "word");
    expect(await stateOf(id)).toMatchObject({ expected_next_speaker: a, turn_count: 3 });
    const early = say(id, b, "too early");
    await expect(early).rejects.toThrow(ProtocolError);
    await expect(early).rejects.toThrow("expects");
  });

  it("N-082 a sequence closes when each has spoken", async () => {
    const { hub, id, ids, say } = await openWorkflow("abc", sequenceGraph);
    for (const speaker of ids) await say(id, speaker, "word");
    expect(await hub.getChannel(id)).toMatchObject({
      state: "closed",
      close_reason: "sequence_complete",
    });
  });

  it("N-083 a packet that finishes closes the channel, whatever the graph says", async () => {
    const { hub, id, a, packet, stateOf } = await openWorkflow("ab", roundRobin);
    await packet(id, a, { body: "", routing: { kind: "finish", reason: "all_done" } });
    expect(await stateOf(id)).toMatchObject({
      expected_next_speaker: null,
      pending_close_reason: "all_done",
    });
    expect(await hub.getChannel(id)).toMatchObject({ state: "closed", close_reason: "all_done" });
  });

  it("N-084 the closed event says what the metadata says, when a cap is met by the same envelope", async () => {
    const { hub, id, ids, say } = await openWorkflow("abc", sequenceGraph);
    const graph = (await hub.getChannel(id)).knobs["graph"] as { max_turns: number };
    expect(graph.max_turns).toBe(3);
    for (const speaker of ids) await say(id, speaker, "word");
    const last = (await hub.readWal(id)).at(-1);
    expect(last).toMatchObject({
      event_type: EV_CHANNEL_CLOSED,
      event_data: { reason: "sequence_complete" },
    });
    expect((await hub.getChannel(id)).close_reason).toBe("sequence_complete");
  });

  it("F-017 tells the speaker of a handoff to nobody, records it, and goes on by the graph", async () => {
    const { hub, id, a, b, packet, stateOf } = await openWorkflow("ab", roundRobin);
    const posted = await packet(id, a, {
      body: "over",
      routing: { kind: "handoff", tool: "pass", target: "nobody" },
    });
    expect(posted.notes).toEqual([expect.stringContaining("handoff to 'nobody' was not taken")]);
    expect((await hub.readWal(id)).at(-1)?.event_data["routing"]).toEqual({
      kind: "handoff",
      tool: "pass",
      unresolved_target: "nobody",
    });
    expect((await stateOf(id))["expected_next_speaker"]).toBe(b);
  });

  it("F-025 takes two updates of one variable in their order; the later one decides, live and replayed", async () => {
    const { memory, id, a, b, setContext, stateOf } = await openWorkflow("ab", roundRobin);
    const posted = await Promise.all([
      setContext(id, a, { set: { plan: "first" } }),
      setContext(id, b, { set: { plan: "second" } }),
    ]);
    expect((posted[0]?.position ?? 0) + 1).toBe(posted[1]?.position);
    expect((await stateOf(id))["context_vars"]).toEqual({ plan: "second" });
    memory.crash();
    const next = await openBench(memory.reopen());
    expect((await next.stateOf(id))["context_vars"]).toEqual({ plan: "second" });
  });

  it("F-010 keeps variables with names of built-in things as plain data, also after a restart", async () => {
    const first = await openWorkflow("ab", ([a = "", b = ""]) => ({
      initial_speaker: a,
      transitions: [transition(contextEquals("toString", null), agentTarget(b))],
      default_target: terminateTarget("it was there"),
      max_turns: null,
    }));
    const { id, a } = first;
    const set = JSON.parse('{"constructor":"x","nested":{"toString":{"constructor":1}}}') as object;
    await first.setContext(id, a, { set });
    const check = async (bench: Awaited<ReturnType<typeof openBench>>) => {
      expect((await bench.stateOf(id))["context_vars"]).toEqual(set);
      expect(Object.keys({})).toEqual([]);
      expect({}.constructor).toBe(Object);
    };
    await check(first);
    first.memory.crash();
    const second = await openBench(first.memory.reopen());
    await check(second);
    await second.say(id, a, "the rule on a key that is missing holds");
    expect((await second.stateOf(id))["expected_next_speaker"]).toBe(first.b);
  });

  it("F-028 the opener's text is its turn: the next is due exactly once and sees it", async () => {
    const { hub, id, a, b, say, stateOf } = await openWorkflow("sd", sequenceGraph);
    const kickoff = await say(id, a, "kickoff");
    expect(await hub.pendingTurnsFor(b)).toEqual([
      {
        channel_id: id,
        triggering_envelope_id: kickoff.envelope_id,
        expected_at: kickoff.created_at,
      },
    ]);
    expect(await hub.pendingTurnsFor(a)).toEqual([]);
    expect((await stateOf(id))["turn_count"]).toBe(1);
    const lines = hub.ledger(id, kickoff.envelope_id);
    expect(lines.map(({ recipient_id }) => recipient_id)).toEqual([b]);
  });

  it.each([1, 2, 5])("F-033 takes exactly %i turns, also across a restart", async (cap) => {
    const first = await openWorkflow("ab", (ids) => roundRobinGraph(ids, cap));
    let bench: Awaited<ReturnType<typeof openBench>> = first;
    let turns = 0;
    while ((await bench.hub.getChannel(first.id)).state === "active") {
      await bench.say(first.id, turns % 2 === 0 ? first.a : first.b, "again");
      turns += 1;
      if (turns === 2) {
        await bench.hub.close();
        bench = await openBench(first.memory.reopen());
      }
    }
    expect(turns).toBe(cap);
    expect((await bench.hub.getChannel(first.id)).close_reason).toBe("max_turns");
    expect((await bench.stateOf(first.id))["turn_count"]).toBe(cap);
  });

  it("F-022 ends at the graph's cap, or at the default cap, with a reason that names the cap", async () => {
    const capped = await openWorkflow("ab", ([a = "", b = ""]) => ({
      initial_speaker: a,
      transitions: [transition(contextEquals("go", true), agentTarget(b))],
      default_target: agentTarget(a),
      max_turns: 3,
    }));
    await capped.setContext(capped.id, capped.a, { set: { go: true } });
    await capped.say(capped.id, capped.a, "1");
    await capped.say(capped.id, capped.b, "2");
    await capped.say(capped.id, capped.b, "3");
    expect((await capped.hub.getChannel(capped.id)).close_reason).toBe("max_turns");

    const endless = await openWorkflow("ab", (ids) => roundRobinGraph(ids));
    expect(await answerEachOther(endless)).toBe("loop_guard");
  });
});

/** Both answer whatever the other says, until the channel ends; returns why it did. */
async function answerEachOther({
  hub,
  say,
  id,
  a,
  b,
}: Pick<Awaited<ReturnType<typeof openWorkflow>>, "hub" | "say" | "id" | "a" | "b">) {
  let cause = (await say(id, a, "hello")).envelope_id;
  for (let turn = 1; turn < 5_000; turn += 1) {
    const channel = await hub.getChannel(id);
    if (channel.state !== "active") return channel.close_reason;
    const sender = turn % 2 === 0 ? a : b;
    cause = (await say(id, sender, "and hello", { causation_id: cause })).envelope_id;
  }
  return "never";
}

describe("conversation", () => {
  it("F-020 of two that always answer ends at a finite cap with a named reason", async () => {
    const bench = await openBench();
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const [a, b] = [await bench.join("a", { rule }), await bench.join("b", { rule })];
    const { channel_id: id } = await bench.open("conversation", a, [b]);
    expect(await answerEachOther({ ...bench, id, a, b })).toBe("loop_guard");
    const { channel_id: capped } = await bench.open("conversation", a, [b], {
      knobs: { max_turns: 7 },
    });
    expect(await answerEachOther({ ...bench, id: capped, a, b })).toBe("max_turns");
  });

  it("F-020 an agent that addresses itself wakes nobody, and an acknowledgement is no envelope", async () => {
    const bench = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b]);
    const posted = await bench.say(id, a, "note to self", { audience: [a] });
    expect(bench.hub.ledger(id, posted.envelope_id)).toEqual([]);
    const { length } = await bench.hub.readWal(id);
    const heard = await bench.say(id, a, "hello");
    bench.context.delivery.receipt({
      recipient_id: b,
      channel_id: id,
      envelope_id: heard.envelope_id,
      status: "ack",
      reason: "",
    });
    expect(await bench.hub.readWal(id)).toHaveLength(length + 1);
  });
});
