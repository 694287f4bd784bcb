import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_CHANNEL_OPENED,
  EV_TEXT,
  ProtocolError,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

const typesOf = (wal: readonly Envelope[]) => wal.map(({ event_type }) => event_type);
const count = (wal: readonly Envelope[], type: string) =>
  typesOf(wal).filter((each) => each === type).length;

/** Who said what, in order. */
const linesOf = (wal: readonly Envelope[]) =>
  wal
    .filter(({ event_type }) => event_type === EV_TEXT)
    .map(({ sender_id, event_data }) => [sender_id, event_data["text"]]);

const stateOf = async (network: TestNetwork, channelId: string) =>
  (await network.hub.adapterState(channelId)).state;

describe.each(TRANSPORTS)("consulting over %s", (transport) => {
  it("N-037 opens by name, with the whole handshake in the WAL", async () => {
    await using network = await startTestNetwork({ transport });
    const [a, b] = [(await network.agent("ada")).client, (await network.agent("bob")).client];
    const { channelId } = await a.open({ type: "consulting", target: "bob" });
    const channel = await network.hub.getChannel(channelId);
    expect(channel).toMatchObject({ state: "active", creator_id: a.agentId, pending_acks: [] });
    const members = channel.participants.map(({ agent_id }) => agent_id);
    expect(members.toSorted()).toEqual([a.agentId, b.agentId].toSorted());
    expect(typesOf(await network.wal(channelId))).toEqual([
      EV_CHANNEL_INVITE,
      EV_CHANNEL_INVITE_ACK,
      EV_CHANNEL_OPENED,
    ]);
  });

  it("N-038 one question, one answer, and it is over", async () => {
    await using network = await startTestNetwork({ transport });
    const { client: a } = await network.agent("ada");
    const { client: b } = await network.agent("bob", ["forty-two"]);
    const channel = await a.open({ type: "consulting", target: "bob" });
    await channel.send("how many?", { audience: [b.agentId] });
    const closed = await a.waitForChannelEvent(
      channel.channelId,
      ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
    );
    expect(closed.event_data["reason"]).toBe("consulting_complete");
    const metadata = await channel.info();
    expect(metadata).toMatchObject({ state: "closed", close_reason: "consulting_complete" });
    expect(linesOf(await network.wal(channel.channelId))).toEqual([
      [a.agentId, "how many?"],
      [b.agentId, "forty-two"],
    ]);
  });

  it("N-039 the respondent may not speak first", async () => {
    await using network = await startTestNetwork({ transport });
    const [a, b] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const { channelId } = await a.open({ type: "consulting", target: "bob" });
    const posted = network.hub.postEnvelope({
      ...{ channel_id: channelId, sender_id: b.agentId },
      ...{ event_type: EV_TEXT, event_data: { text: "me first" } },
    });
    await expect(posted).rejects.toThrow(ProtocolError);
    await expect(posted).rejects.toThrow("initiator");
  });
});

describe.each(TRANSPORTS)("conversation over %s", (transport) => {
  it("N-042 opens with exactly the two, and the whole handshake in the WAL", async () => {
    await using network = await startTestNetwork({ transport });
    const [a, b] = [(await network.agent("ada")).client, (await network.agent("bob")).client];
    const { channelId } = await a.open({ type: "conversation", target: "bob" });
    const channel = await network.hub.getChannel(channelId);
    expect(channel).toMatchObject({ state: "active", creator_id: a.agentId, pending_acks: [] });
    const members = channel.participants.map(({ agent_id }) => agent_id);
    expect(members.toSorted()).toEqual([a.agentId, b.agentId].toSorted());
    expect(typesOf(await network.wal(channelId))).toEqual([
      EV_CHANNEL_INVITE,
      EV_CHANNEL_INVITE_ACK,
      EV_CHANNEL_OPENED,
    ]);
  });

  it("N-043 the two answer each other until one is silent", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.agent("ada", ["a second", ""]);
    const b = await network.agent("bob", ["b first", "b second"]);
    const channel = await a.client.open({ type: "conversation", target: "bob" });
    await channel.send("a first");
    await until(() => a.script.turns.length === 2);
    // Draining waits for what is being handled, so nothing of it is still to come.
    await Promise.all([a.client.hub.drain(), b.client.hub.drain()]);

    expect(linesOf(await network.wal(channel.channelId))).toEqual([
      [a.client.agentId, "a first"],
      [b.client.agentId, "b first"],
      [a.client.agentId, "a second"],
      [b.client.agentId, "b second"],
    ]);
    expect(b.script.turns).toHaveLength(2);
    expect(await stateOf(network, channel.channelId)).toMatchObject({
      turn_count: 4,
      last_speaker_id: b.client.agentId,
    });
  });

  it("N-044 nothing can be said in a channel that was closed", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const channel = await a.open({ type: "conversation", target: "bob" });
    const closed = await channel.close("done");
    expect(closed).toMatchObject({ state: "closed", close_reason: "done" });
    await expect(channel.send("one more thing")).rejects.toThrow(ProtocolError);
  });
});

describe.each(TRANSPORTS)("discussion over %s", (transport) => {
  const openDiscussion = async (network: TestNetwork, names: readonly string[]) => {
    const members = await Promise.all(names.map((name) => network.ackOnly(name)));
    const [creator] = members;
    if (creator === undefined) throw new Error("a discussion needs a creator");
    const channel = await creator.open({ type: "discussion", target: names.slice(1) });
    const ids = members.map(({ agentId }) => agentId);
    const say = async (index: number, text: string) =>
      (await members[index]?.channel(channel.channelId))?.send(text);
    return { members, ids, channel, say };
  };

  it("N-047 who speaks out of turn leaves no trace", async () => {
    await using network = await startTestNetwork({ transport });
    const { channel, say } = await openDiscussion(network, ["ada", "bob", "cleo"]);
    const before = await network.wal(channel.channelId);
    await expect(say(1, "me first")).rejects.toThrow(ProtocolError);
    const after = await network.wal(channel.channelId);
    expect(after).toHaveLength(before.length);
    expect(JSON.stringify(after)).not.toContain("me first");
  });

  it("N-049 five agents with a hub client each open one together", async () => {
    await using network = await startTestNetwork({ transport });
    const names = ["ada", "bob", "cleo", "dan", "eve"];
    const { members, ids, channel } = await openDiscussion(network, names);
    expect(new Set(members.map(({ hub }) => hub)).size).toBe(5);
    const metadata = await network.hub.getChannel(channel.channelId);
    expect(metadata).toMatchObject({ state: "active", pending_acks: [], rejected_by: [] });
    expect(metadata.participants).toHaveLength(5);
    const wal = await network.wal(channel.channelId);
    expect(count(wal, EV_CHANNEL_INVITE)).toBe(4);
    expect(count(wal, EV_CHANNEL_INVITE_ACK)).toBe(4);
    expect(count(wal, EV_CHANNEL_OPENED)).toBe(1);
    expect(await stateOf(network, channel.channelId)).toMatchObject({
      expected_next_speaker: ids[0],
      participant_order: ids,
    });
  });

  it("N-050 the turn goes round", async () => {
    await using network = await startTestNetwork({ transport });
    const { ids, channel, say } = await openDiscussion(network, ["ada", "bob", "cleo"]);
    for (const [index, next] of [1, 2, 0].entries()) {
      await say(index, `from ${index}`);
      expect(await stateOf(network, channel.channelId)).toMatchObject({
        expected_next_speaker: ids[next],
      });
    }
    expect(await stateOf(network, channel.channelId)).toMatchObject({
      turn_count: 3,
      last_speaker_id: ids[2],
    });
  });

  it("N-051 one invitee that declines fails the whole opening", async () => {
    await using network = await startTestNetwork({ transport });
    const a = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const c = await network.ackOnly("cleo");
    c.onEnvelope(async (envelope, client) => {
      if (envelope.event_type !== EV_CHANNEL_INVITE) return;
      await client.send({
        channel_id: envelope.channel_id,
        event_type: EV_CHANNEL_INVITE_REJECT,
        event_data: { channel_id: envelope.channel_id, reason: "busy" },
        causation_id: envelope.envelope_id,
      });
    });
    const opened = a.open({ type: "discussion", target: ["bob", "cleo"] });
    await expect(opened).rejects.toThrow(ProtocolError);
    await expect(opened).rejects.toThrow("rejected");
    const [channel] = await network.hub.listChannels();
    expect(channel).toMatchObject({ state: "closed", rejected_by: [c.agentId] });
  });
});
