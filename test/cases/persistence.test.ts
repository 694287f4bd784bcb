import {
  type ConsultingState,
  createConversationAdapter,
  createDefaultAdapters,
  type DiscussionState,
  sequenceGraph,
} from "@colloquy/adapters";
import { EV_TEXT, handoff, ProtocolError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const quick = { client: { reconnect: { baseMs: 1 } } };
const stateOf = async ({ hub }: TestNetwork, channelId: string) =>
  (await hub.adapterState(channelId)).state;

/** The built-in types without one. */
const adaptersWithout = (type: string) =>
  createDefaultAdapters().filter(({ manifest }) => manifest.type !== type);

/** Two agents that only accept invitations. */
async function pair(network: TestNetwork) {
  return { a: await network.ackOnly("ada"), b: await network.ackOnly("bob") };
}

describe.each(SURROUNDINGS)("what is there after a start, $transport, $store", (surroundings) => {
  const options = { ...surroundings, ...quick };

  it("N-205 a channel whose type came too late is known, and nothing more", async () => {
    const talk = createConversationAdapter();
    const custom = { ...talk, manifest: { ...talk.manifest, type: "custom_talk" } };
    await using network = await startTestNetwork(options);
    network.hub.registerAdapter(custom);
    const { a } = await pair(network);
    const channel = await a.open({ type: "custom_talk", target: "bob" });
    const { channelId } = channel;

    await network.reopen();
    network.hub.registerAdapter(custom);
    const metadata = await network.hub.getChannel(channelId);
    expect(metadata.manifest.type).toBe("custom_talk");
    expect(network.hub.health().active_channels).toBe(0);
    expect(await stateOf(network, channelId)).toBeNull();
    const posted = channel.send("hello");
    await expect(posted).rejects.toThrow(ProtocolError);
    await expect(posted).rejects.toThrow("no adapter state");
  });

  it("N-206 a question that waits for its answer", async () => {
    await using network = await startTestNetwork(options);
    const { a } = await pair(network);
    const channel = await a.open({ type: "consulting", target: "bob" });
    await channel.send("a question");
    await network.reopen();
    const metadata = await network.hub.getChannel(channel.channelId);
    expect(metadata.channel_id).toBe(channel.channelId);
    expect(metadata.manifest.type).toBe("consulting");
    const state = (await stateOf(network, channel.channelId)) as ConsultingState;
    expect(state).toMatchObject({ initiator_sent: true, respondent_replied: false });
  });

  it("N-207 whose turn it is in a discussion", async () => {
    await using network = await startTestNetwork(options);
    const { a, b } = await pair(network);
    const c = await network.ackOnly("cleo");
    const channel = await a.open({ type: "discussion", target: ["bob", "cleo"] });
    await channel.send("to begin with");
    await network.reopen();
    const state = (await stateOf(network, channel.channelId)) as DiscussionState;
    expect(state).toMatchObject({
      ...{ expected_next_speaker: b.agentId, last_speaker_id: a.agentId, turn_count: 1 },
      participant_order: [a.agentId, b.agentId, c.agentId],
    });
  });

  it("N-208 agents with all that they said of themselves", async () => {
    await using network = await startTestNetwork(options);
    const about = { claimed_capabilities: ["math", "research"], summary: "Proves theorems." };
    const a = await network.ackOnly("ada", {
      ...{ passport: { owner: "lab" }, resume: about, skill: "# Proofs\n\nStep by step." },
    });
    const b = await network.ackOnly("bob", {
      resume: { claimed_capabilities: ["writing"], summary: "Writes letters." },
      rule: { limits: { delegation_depth: 2 } },
    });
    const rule = await network.hub.getRule(b.agentId);

    const hub = await network.reopen();
    expect([hub.findAgentId("ada"), hub.findAgentId("bob")]).toEqual([a.agentId, b.agentId]);
    expect((await hub.getAgent("ada")).owner).toBe("lab");
    expect(await hub.getResume(a.agentId)).toMatchObject(about);
    expect(await hub.getSkill(a.agentId)).toBe("# Proofs\n\nStep by step.");
    expect(await hub.getRule(b.agentId)).toEqual(rule);
    expect(rule.limits.delegation_depth).toBe(2);
    const found = async (filter: Parameters<typeof hub.listAgents>[0]) =>
      (await hub.listAgents(filter)).map(({ agent_id }) => agent_id);
    expect(await found({ capability: "writing" })).toEqual([b.agentId]);
    expect(await found({ query: "theorems" })).toEqual([a.agentId]);
  });

  it("N-209 nothing where nothing was", async () => {
    await using network = await startTestNetwork(options);
    const { hub } = network;
    expect(await hub.listAgents()).toEqual([]);
    expect(await hub.listChannels()).toEqual([]);
    expect(await hub.listTasks()).toEqual([]);
  });

  it("N-212 a channel of a type that the hub lacks is listed and takes no posts", async () => {
    await using network = await startTestNetwork(options);
    const { a } = await pair(network);
    const channel = await a.open({ type: "conversation", target: "bob" });
    await network.reopen({ adapters: adaptersWithout("conversation") });
    const listed = await network.hub.listChannels();
    expect(listed.map(({ channel_id }) => channel_id)).toEqual([channel.channelId]);
    const posted = channel.send("hello");
    await expect(posted).rejects.toThrow(ProtocolError);
    await expect(posted).rejects.toThrow("no registered adapter");
  });

  it("N-213 open and closed channels, each as it was", async () => {
    await using network = await startTestNetwork(options);
    const { a } = await pair(network);
    const closed = await a.open({ type: "conversation", target: "bob" });
    const open = await a.open({ type: "conversation", target: "bob" });
    await closed.close("done");
    const hub = await network.reopen();
    const states = (await hub.listChannels()).map(({ channel_id, state }) => [channel_id, state]);
    expect(states).toEqual([
      [closed.channelId, "closed"],
      [open.channelId, "active"],
    ]);
    expect(hub.health().active_channels).toBe(1);
    expect(await open.send("still here")).toMatch(/^[0-9a-f]{32}$/);
    await expect(closed.send("too late")).rejects.toThrow(ProtocolError);
  });

  it("N-215 where a workflow stands", async () => {
    await using network = await startTestNetwork(options);
    const t = await network.ackOnly("triage");
    const e = await network.ackOnly("expert");
    const graph = { ...sequenceGraph([t.agentId, e.agentId]) };
    const opening = { type: "workflow", target: "expert", knobs: { graph } };
    const { channelId } = await t.open(opening);
    const adapter = await network.hub.adapterFor(channelId);
    await t.post(
      adapter.packetEnvelope({
        ...{ channelId, senderId: t.agentId, body: "looks technical" },
        handoff: handoff(e.agentId, "needs an expert"),
      }),
    );

    const hub = await network.reopen();
    const metadata = await hub.getChannel(channelId);
    expect(metadata).toMatchObject({ manifest: { type: "workflow" }, state: "active" });
    expect(await stateOf(network, channelId)).toMatchObject({
      ...{ expected_next_speaker: e.agentId, last_speaker_id: t.agentId, turn_count: 1 },
      ...{ creator_id: t.agentId, participant_order: [t.agentId, e.agentId] },
    });
  });
});

describe("a start on a full disk store", () => {
  const CHANNELS = 100;
  const TEXTS = 100;

  it("N-214 100 conversations of 100 texts are as they were, also the second time", async () => {
    await using network = await startTestNetwork({ store: "sqlite" });
    const { hub } = network;
    const unlimited = { limits: { inbox: { max_pending: 0 } } };
    const a = await network.ackOnly("ada", {
      ...{ rule: unlimited, resume: { claimed_capabilities: ["math"] } },
    });
    const b = await network.ackOnly("bob", {
      ...{ rule: unlimited, resume: { claimed_capabilities: ["writing"] } },
    });
    const opening = { type: "conversation", target: "bob", knobs: { max_turns: 2 * TEXTS } };
    const opened = Array.from({ length: CHANNELS }, () => a.open(opening));
    const ids = (await Promise.all(opened)).map(({ channelId }) => channelId);
    // From here on the hub alone is looked at.
    await Promise.all([a.hub.close(), b.hub.close()]);
    const posts = ids.flatMap((channel_id) =>
      Array.from({ length: TEXTS }, (_, turn) =>
        hub.postEnvelope({
          ...{ channel_id, sender_id: turn % 2 === 0 ? a.agentId : b.agentId },
          ...{ event_type: EV_TEXT, event_data: { text: `${turn}` } },
        }),
      ),
    );
    await Promise.all(posts);

    const shown = async () => ({
      channels: await network.hub.listChannels({ limit: null }),
      states: await Promise.all(ids.map((id) => stateOf(network, id))),
      math: network.hub.agentsWithCapability("math"),
      writing: network.hub.agentsWithCapability("writing"),
    });
    const before = await shown();
    await network.reopen();
    const after = await shown();
    expect(after.channels).toHaveLength(CHANNELS);
    for (const channel of after.channels) {
      expect(channel).toMatchObject({ state: "active", manifest: { type: "conversation" } });
    }
    for (const state of after.states) {
      expect(state).toMatchObject({ turn_count: TEXTS, last_speaker_id: b.agentId });
    }
    expect([after.math, after.writing]).toEqual([[a.agentId], [b.agentId]]);
    expect(after).toEqual(before);
    await network.reopen();
    expect(await shown()).toEqual(before);
  }, 60_000);
});
