import {
  type DiscussionState,
  dumpGraph,
  PASSED_TURN_INPUT,
  roundRobinGraph,
  sequenceGraph,
  type TransitionGraph,
  type WorkflowState,
} from "@colloquy/adapters";
import type { ScriptLine, Turn } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE,
  EV_PACKET,
  EV_TEXT,
  handoff,
  type Message,
  partShowsSomething,
  showsSomething,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { connectBare } from "../fixtures/bare-link.js";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const jsonOf = (graph: TransitionGraph): Record<string, unknown> => JSON.parse(dumpGraph(graph));

/** True when every message, and every part of it, shows something. */
const allShow = (messages: readonly Message[]): boolean =>
  messages.every(
    ({ content }) =>
      showsSomething(content) &&
      (typeof content === "string" || (content ?? []).every(partShowsSomething)),
  );

/** A channel as a participant's view shows it, for an envelope that is to be answered. */
async function viewOf({ hub }: TestNetwork, channelId: string, agentId: string, trigger: string) {
  const adapter = await hub.adapterFor(channelId);
  const facts = { channel_id: channelId, agent_id: agentId, envelope_id: trigger, last: null };
  const { slice } = await hub.prepareTurn(facts);
  return slice.envelopes.map((envelope) => adapter.renderEnvelope(envelope));
}

describe.each(SURROUNDINGS)("agents that say nothing, $transport, $store", (surroundings) => {
  it("F-038 take their turn with a pass that no view shows, and nobody waits for them", async () => {
    await using network = await startTestNetwork(surroundings);
    const hugo = await network.human("hugo");
    const words = (first: ScriptLine) => (turn: Turn) =>
      String(turn.input).includes("second") || turn.history.length > 3 ? "something" : first;
    const silent = [
      await network.agent("ada", words("")),
      await network.agent("bob", words(" \n\t")),
      await network.agent("cleo", words(null)),
    ];
    const target = silent.map(({ client }) => client.name);
    const ids = [hugo.agentId, ...silent.map(({ client }) => client.agentId)];

    const talk = await hugo.open({ type: "discussion", target });
    await hugo.say(talk.channelId, "first");
    const turns = async () =>
      (await network.hub.adapterState(talk.channelId)).state as DiscussionState;
    await until(async () => (await turns()).turn_count === 4);
    expect((await turns()).expected_next_speaker).toBe(hugo.agentId);
    expect(await network.texts(talk.channelId)).toEqual(["first", "", "", ""]);
    await hugo.say(talk.channelId, "second");
    await until(async () => (await turns()).turn_count >= 6);

    const graph = jsonOf(roundRobinGraph(ids, 6));
    const flow = await hugo.open({ type: "workflow", target, knobs: { graph } });
    await hugo.say(flow.channelId, "first");
    const state = async () =>
      (await network.hub.adapterState(flow.channelId)).state as WorkflowState;
    await until(async () => (await state()).turn_count === 4);
    expect((await state()).expected_next_speaker).toBe(hugo.agentId);

    const asked = silent.flatMap(({ script }) => script.turns);
    expect(asked.length).toBeGreaterThanOrEqual(7);
    expect(asked.every(({ history }) => allShow(history))).toBe(true);
    expect(asked.every(({ input }) => showsSomething(input))).toBe(true);
    expect(silent[1]?.script.turns[0]?.input).toBe(PASSED_TURN_INPUT);
    for (const { channelId } of [talk, flow]) {
      const last = (await network.wal(channelId)).at(-1)?.envelope_id ?? "";
      for (const { client } of silent) {
        const shown = await viewOf(network, channelId, client.agentId, last);
        expect(shown.filter((content) => content !== null).every(showsSomething)).toBe(true);
      }
    }
  });
});

describe.each(SURROUNDINGS)("what is shown as speech, $transport, $store", (surroundings) => {
  it("F-039 is a packet's body alone, once, to later speakers and on a screen", async () => {
    await using network = await startTestNetwork(surroundings);
    const hugo = await network.human("hugo");
    const screen: string[] = [];
    const { client: ada } = await network.agent("ada", () => ({
      text: "the draft is done",
      events: [
        { type: "tool_call", id: "1", name: "pass_on", arguments: { phase: "argument-word" } },
        { type: "tool_result", id: "1", result: handoff("bob", "reason-word") },
      ],
    }));
    const bob = await network.agent("bob", () => "bob's part");
    const cleo = await network.agent("cleo", () => "cleo's part");
    const ids = [hugo, ada, bob.client, cleo.client].map(({ agentId }) => agentId);
    const { channelId, setContext } = await hugo.open({
      ...{ type: "workflow", target: ["ada", "bob", "cleo"] },
      knobs: { graph: jsonOf(sequenceGraph(ids)) },
    });
    const adapter = await network.hub.adapterFor(channelId);
    hugo.onEnvelope((envelope) => {
      const shown = adapter.renderEnvelope(envelope);
      if (shown !== null) screen.push(String(shown));
    });
    await setContext({ phase: "variable-word" });
    await hugo.say(channelId, "begin");
    await hugo.waitForChannelEvent(channelId, ({ event_type }) => event_type === EV_CHANNEL_CLOSED);

    const packet = (await network.wal(channelId)).find(
      ({ event_type }) => event_type === EV_PACKET,
    );
    expect(packet?.event_data).toMatchObject({ routing: { tool: "pass_on" } });
    const said = "[Handed off via pass_on] reason-word\nthe draft is done";
    expect(bob.script.turns[0]?.input).toBe(`[ada]: ${said}`);
    const shown = (turn: Turn | undefined) => turn?.history.map(({ content }) => content) ?? [];
    expect(shown(bob.script.turns[0])).toEqual(["[hugo]: begin"]);
    expect(shown(cleo.script.turns[0])).toEqual(["[hugo]: begin", `[ada]: ${said}`]);
    expect(screen).toEqual([said, "bob's part", "cleo's part"]);
    const views = JSON.stringify([bob.script.turns, cleo.script.turns].map((t) => t.map(shown)));
    for (const word of ["argument-word", "variable-word", "routing", "context_updates"]) {
      expect(views).not.toContain(word);
    }
  });

  it("F-040 is each utterance once, whatever a screen sends along with it", async () => {
    await using network = await startTestNetwork(surroundings);
    const hugo = await network.human("hugo");
    const { script } = await network.agent("ada", ({ input }) => `heard ${String(input)}`);
    const { channelId } = await hugo.open({ type: "conversation", target: "ada" });
    const transcript: { id: string; role: string; text: string }[] = [];
    for (const [round, text] of ["one", "two", "three"].entries()) {
      transcript.push({ id: "", role: "user", text });
      // The whole course so far comes along again, under ids that are new each time.
      const messages = transcript.map((line, at) => ({ ...line, id: `${round}-${at}` }));
      const event_data = { text, messages };
      await hugo.send({ channel_id: channelId, event_type: EV_TEXT, event_data });
      await until(async () => (await network.texts(channelId)).length === 2 * (round + 1));
      transcript.push({ id: "", role: "assistant", text: `heard ${text}` });
    }
    const course = ["one", "heard one", "two", "heard two", "three", "heard three"];
    expect(await network.texts(channelId)).toEqual(course);
    const last = script.turns.at(-1);
    expect(last?.history.map(({ content }) => content)).toEqual(course.slice(0, 4));
    expect(last?.input).toBe("three");
    const newest = (await network.wal(channelId)).at(-1)?.envelope_id ?? "";
    const shown = await viewOf(network, channelId, hugo.agentId, newest);
    expect(shown.filter((content) => content !== null)).toEqual(course.slice(0, 5));
  });
});

const SECRET = "xyzzy";

describe.each(SURROUNDINGS)("a word for one of three, $transport, $store", (surroundings) => {
  it("F-042 reaches the third on no path, and is there for the operator", async () => {
    await using network = await startTestNetwork(surroundings);
    const [ada, bob] = [await network.human("ada"), await network.human("bob")];
    using cleo = await connectBare(network.link());
    const registration = { passport: { name: "cleo" }, resume: {} };
    const { result } = await cleo.request("register", registration);
    const cleoId = (result as { agent_id: string }).agent_id;
    const opening = ada.open({ type: "discussion", target: ["bob", "cleo"] });
    const invite = await until(() =>
      cleo.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE),
    );
    const { channel_id } = invite.envelope;
    await cleo.post({
      ...{ channel_id, sender_id: cleoId, event_type: "ag2.channel.invite.ack" },
      ...{ event_data: { channel_id }, causation_id: invite.envelope.envelope_id },
    });
    await opening;
    const secret = await ada.say(channel_id, SECRET, { audience: [bob.agentId] });
    const answer = await bob.say(channel_id, `${SECRET}, yes`, {
      ...{ audience: [ada.agentId], causationId: secret },
    });
    expect(JSON.stringify(await bob.hub.readWal(channel_id))).toContain(SECRET);

    const ids = { channel_id, agent_id: cleoId };
    const paths: [string, Record<string, unknown>][] = [
      ["read_wal", { channel_id }],
      ["read_wal", { channel_id, since: -3, until: -1 }],
      ["read_page", { channel_id }],
      ["read_page", { channel_id, last: 2 }],
      ["get_state", { channel_id }],
      ["get_channel", { channel_id }],
      ["prepare_turn", { ...ids, envelope_id: secret }],
      ["prepare_turn", { ...ids, envelope_id: answer }],
      ["prepare_turn", { ...ids, envelope_id: invite.envelope.envelope_id }],
      ["pending_turns_for", { agent_id: cleoId }],
      ["find_envelope_by_causation", { channel_id, sender_id: bob.agentId, causation_id: secret }],
      ["find_envelope_by_causation", { channel_id, sender_id: ada.agentId, causation_id: "" }],
      ["list_channels", {}],
    ];
    for (const [op, params] of paths) {
      const told = JSON.stringify(await cleo.request(op, params));
      expect([op, told.includes(SECRET)]).toEqual([op, false]);
    }
    // She quotes what she may not see: her own words are all that comes of it.
    const quoting = { event_type: EV_TEXT, causation_id: secret, event_data: { text: "what?" } };
    const quote = await cleo.post({ channel_id, sender_id: cleoId, ...quoting });
    const words = await bob.nextEnvelope(({ envelope_id }) => envelope_id === quote, 5_000);
    expect(words.event_data).toEqual({ text: "what?" });
    cleo.close();

    using back = await connectBare(network.link());
    for (const since_envelope_id of ["", secret, invite.envelope.envelope_id]) {
      await back.hello("cleo", { since_envelope_id });
      await back.barrier();
    }
    const page = await back.request("read_page", { channel_id });
    expect(JSON.stringify(page)).toContain("what?");
    const seen = JSON.stringify([cleo.frames, back.frames]);
    expect(seen).toContain("what?");
    expect(seen).not.toContain(SECRET);
    const shown = await viewOf(network, channel_id, cleoId, quote);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    const all = (wal: readonly Envelope[]) => wal.map(({ event_data }) => event_data["text"]);
    expect(all(await network.hub.readWal(channel_id))).toContain(SECRET);
  });
});
