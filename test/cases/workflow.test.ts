import {
  agentTarget,
  contextEquals,
  dumpGraph,
  fromSpeaker,
  revertToInitiator,
  roundRobinGraph,
  sequenceGraph,
  type TransitionGraph,
  terminateTarget,
  toolCalled,
  transition,
  type WorkflowState,
} from "@colloquy/adapters";
import type { ParticipantClient } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  handoff,
  ProtocolError,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

/** A graph as it comes out of a file. */
const jsonOf = (graph: TransitionGraph): Record<string, unknown> => JSON.parse(dumpGraph(graph));

const isEnd = ({ event_type }: Envelope) => event_type === EV_CHANNEL_CLOSED;

/** What the tests want to know of a channel, and how they speak in it. */
function workflowIn({ hub }: TestNetwork, channel_id: string) {
  const post = (sender: ParticipantClient, event_type: string, event_data: object) =>
    hub.postEnvelope({
      ...{ channel_id, sender_id: sender.agentId, event_type },
      event_data: { ...event_data },
    });
  return {
    post,
    say: (sender: ParticipantClient, text: string) => post(sender, EV_TEXT, { text }),
    state: async () => (await hub.adapterState(channel_id)).state as WorkflowState,
    metadata: () => hub.getChannel(channel_id),
  };
}

/** Three agents that only accept invitations, in a workflow that the first one has opened. */
async function openWorkflow(
  network: TestNetwork,
  graphFor: (a: string, b: string, c: string) => TransitionGraph,
) {
  const a = await network.ackOnly("ada");
  const b = await network.ackOnly("bob");
  const c = await network.ackOnly("cleo");
  const graph = jsonOf(graphFor(a.agentId, b.agentId, c.agentId));
  const channel = await a.open({ type: "workflow", target: ["bob", "cleo"], knobs: { graph } });
  return { a, b, c, channel, ...workflowIn(network, channel.channelId) };
}

describe.each(SURROUNDINGS)("workflow, $transport, $store", (options) => {
  it("N-065 people without a model hand the word to each other in packets", async () => {
    await using network = await startTestNetwork(options);
    const [a, b] = [await network.human("ann"), await network.human("ben")];
    const graph: TransitionGraph = {
      initial_speaker: a.agentId,
      transitions: [
        transition(fromSpeaker(a.agentId), agentTarget(b.agentId)),
        transition(fromSpeaker(b.agentId), revertToInitiator()),
      ],
      default_target: terminateTarget(),
      max_turns: 8,
    };
    const opening = { type: "workflow", target: "ben", knobs: { graph: jsonOf(graph) } };
    const { channelId, state: opened } = await a.open(opening);
    expect(opened).toBe("active");
    const { state } = workflowIn(network, channelId);
    const adapter = await network.hub.adapterFor(channelId);
    const first = { channelId, senderId: a.agentId, body: "the first half" };
    await network.hub.postEnvelope(adapter.packetEnvelope(first));
    expect(await state()).toMatchObject({
      expected_next_speaker: b.agentId,
      last_speaker_id: a.agentId,
    });

    const back = handoff(a.agentId, "your turn");
    const second = { channelId, senderId: b.agentId, body: "the second half", handoff: back };
    await network.hub.postEnvelope(adapter.packetEnvelope(second));
    expect(await state()).toMatchObject({
      expected_next_speaker: a.agentId,
      last_speaker_id: b.agentId,
    });
  });

  it("N-066 N-067 N-068 N-069 variables are set and deleted by anybody, and take no turn", async () => {
    await using network = await startTestNetwork(options);
    const { a, b, post, state } = await openWorkflow(network, (...ids) => roundRobinGraph(ids));
    const before = await state();
    await post(a, EV_CONTEXT_SET, { set: { plan: "north", temp: 1 } });
    expect((await state()).context_vars).toEqual({ plan: "north", temp: 1 });

    await post(a, EV_CONTEXT_SET, { delete: ["temp"], set: { ready: true } });
    expect((await state()).context_vars).toEqual({ plan: "north", ready: true });

    expect((await state()).expected_next_speaker).toBe(a.agentId);
    await post(b, EV_CONTEXT_SET, { set: { from: "bob" } });
    expect((await state()).context_vars).toEqual({ plan: "north", ready: true, from: "bob" });
    expect(await state()).toMatchObject({
      turn_count: before.turn_count,
      expected_next_speaker: before.expected_next_speaker,
    });
  });

  it("N-079 what a packet sets counts for the choice of who is next", async () => {
    await using network = await startTestNetwork(options);
    const { a, c, post, state } = await openWorkflow(network, (first, billing, technical) => ({
      initial_speaker: first,
      transitions: [
        transition(contextEquals("category", "billing"), agentTarget(billing)),
        transition(contextEquals("category", "technical"), agentTarget(technical)),
      ],
      default_target: terminateTarget(),
      max_turns: null,
    }));
    await post(a, EV_PACKET, {
      ...{ routing: { kind: "text" }, body: "classified" },
      context_updates: { set: { category: "technical" } },
    });
    expect(await state()).toMatchObject({ expected_next_speaker: c.agentId });
    expect((await state()).context_vars).toEqual({ category: "technical" });
  });

  it("N-091 what a built packet sets is folded by the hub", async () => {
    await using network = await startTestNetwork(options);
    const { a, channel, state } = await openWorkflow(network, (...ids) => roundRobinGraph(ids));
    const { channelId } = channel;
    const adapter = await network.hub.adapterFor(channelId);
    const given = { channelId, senderId: a.agentId, body: "half", contextSet: { stage: 2 } };
    await a.post(adapter.packetEnvelope(given));
    expect((await state()).context_vars).toEqual({ stage: 2 });
  });

  it("N-080 a target that is resolved already outranks the graph", async () => {
    await using network = await startTestNetwork(options);
    const { a, c, post, state } = await openWorkflow(network, (first, second) => ({
      initial_speaker: first,
      transitions: [transition(toolCalled("escalate"), agentTarget(second))],
      default_target: terminateTarget(),
      max_turns: null,
    }));
    const routing = { kind: "handoff", tool: "escalate", target: c.agentId };
    await post(a, EV_PACKET, { routing, context_updates: {}, body: "over to you" });
    expect((await state()).expected_next_speaker).toBe(c.agentId);
  });

  it("N-081 the word goes round, and who is not next is refused", async () => {
    await using network = await startTestNetwork(options);
    const flow = await openWorkflow(network, (...ids) => roundRobinGraph(ids));
    const { a, b, c, say, state, metadata } = flow;
    expect((await metadata()).state).toBe("active");
    expect((await state()).expected_next_speaker).toBe(a.agentId);
    for (const member of [a, b, c]) await say(member, `from ${member.name}`);
    expect(await state()).toMatchObject({ expected_next_speaker: a.agentId, turn_count: 3 });
    const early = say(b, "not yet");
    await expect(early).rejects.toThrow(ProtocolError);
    await expect(early).rejects.toThrow("expects");
  });

  it("N-082 a sequence closes behind its last step", async () => {
    await using network = await startTestNetwork(options);
    const flow = await openWorkflow(network, (...ids) => sequenceGraph(ids));
    for (const member of [flow.a, flow.b, flow.c]) await flow.say(member, "my part");
    expect(await flow.metadata()).toMatchObject({
      ...{ state: "closed", close_reason: "sequence_complete" },
    });
  });

  it("N-083 a finish closes it, whatever the graph says", async () => {
    await using network = await startTestNetwork(options);
    const flow = await openWorkflow(network, (...ids) => roundRobinGraph(ids));
    const routing = { kind: "finish", reason: "all_done" };
    await flow.post(flow.a, EV_PACKET, { routing, context_updates: {}, body: "that is it" });
    expect(await flow.state()).toMatchObject({
      ...{ expected_next_speaker: null, pending_close_reason: "all_done" },
    });
    expect(await flow.metadata()).toMatchObject({ state: "closed", close_reason: "all_done" });
  });

  it("N-084 of two reasons to close at once the graph's own is told", async () => {
    await using network = await startTestNetwork(options);
    const { client: a } = await network.agent("ada");
    const { client: b } = await network.agent("bob", ["the middle"]);
    const { client: c } = await network.agent("cleo", ["the end"]);
    const graph = sequenceGraph([a.agentId, b.agentId, c.agentId]);
    expect(graph.max_turns).toBe(3);
    const channel = await a.open({
      ...{ type: "workflow", target: ["bob", "cleo"], knobs: { graph: jsonOf(graph) } },
    });
    await channel.send("the beginning");
    const closed = await a.waitForChannelEvent(channel.channelId, isEnd);
    expect(closed.event_data["reason"]).toBe("sequence_complete");
    expect((await channel.info()).close_reason).toBe("sequence_complete");
  });

  it("N-085 a cap on turns ends a round that would go on", async () => {
    await using network = await startTestNetwork(options);
    const { client: a } = await network.agent("ada", ["a2", "a3"]);
    const { client: b } = await network.agent("bob", ["b1", "b2", "b3"]);
    const { client: c } = await network.agent("cleo", ["c1", "c2", "c3"]);
    const graph = roundRobinGraph([a.agentId, b.agentId, c.agentId], 6);
    const channel = await a.open({
      ...{ type: "workflow", target: ["bob", "cleo"], knobs: { graph: jsonOf(graph) } },
    });
    await channel.send("a1");
    const closed = await a.waitForChannelEvent(channel.channelId, isEnd);
    expect(closed.event_data["reason"]).toBe("max_turns");
    const { state } = workflowIn(network, channel.channelId);
    expect((await state()).turn_count).toBe(6);
  });
});
