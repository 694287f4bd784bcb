import { EV_TEXT, NotFoundError, ProtocolError } from "@colloquy/protocol";
import { createFakeClock, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, type TestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

const NOBODY = "0".repeat(32);

/** Two agents that only accept invitations. */
async function pair(network: TestNetwork) {
  return { a: await network.ackOnly("ada"), b: await network.ackOnly("bob") };
}

describe.each(TRANSPORTS)("opening channels over %s", (transport) => {
  it("N-027 an invitee that says nothing fails the opening", async () => {
    const clock = createFakeClock();
    const hub = { clock, limits: { inviteAckTimeoutMs: 200 } };
    await using network = await startTestNetwork({ transport, hub });
    const { a, b } = await pair(network);
    const invited: string[] = [];
    b.onEnvelope(({ channel_id }) => {
      invited.push(channel_id);
    });
    const opened = a.open({ type: "consulting", target: "bob" });
    const outcome = Promise.allSettled([opened]);
    await until(() => invited.length === 1);
    await clock.advanceAsync(199);
    await settle();
    const [pending] = await network.hub.listChannels();
    expect(pending?.state).toBe("pending");
    await clock.advanceAsync(1);
    await outcome;
    await expect(opened).rejects.toThrow(ProtocolError);
    await expect(opened).rejects.toThrow("ack timeout");
  });

  it("N-030 nobody can be listed twice", async () => {
    await using network = await startTestNetwork({ transport });
    const { a, b } = await pair(network);
    const opened = a.open({ type: "discussion", target: [b.agentId, b.agentId] });
    await expect(opened).rejects.toThrow(ProtocolError);
    await expect(opened).rejects.toThrow("listed twice");
    expect(await network.hub.listChannels()).toEqual([]);
  });

  it("N-031 somebody has to be invited", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const opened = a.open({ type: "conversation", target: [] });
    await expect(opened).rejects.toThrow(ProtocolError);
    await expect(opened).rejects.toThrow("at least one");
    expect(await network.hub.listChannels()).toEqual([]);
  });

  it("N-032 the type has to be known", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const opened = a.open({ type: "seance", target: "bob" });
    await expect(opened).rejects.toThrow(NotFoundError);
    await expect(opened).rejects.toThrow("no adapter");
    expect(await network.hub.listChannels()).toEqual([]);
  });

  it("N-048 N-064 knobs are held to what the type says of them", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const dynamic = a.open({ type: "discussion", target: "bob", knobs: { ordering: "dynamic" } });
    await expect(dynamic).rejects.toThrow(ProtocolError);
    await expect(dynamic).rejects.toThrow(/ordering.*round_robin/);
    const bare = a.open({ type: "workflow", target: "bob", knobs: {} });
    await expect(bare).rejects.toThrow(ProtocolError);
    await expect(bare).rejects.toThrow("graph");
    expect(await network.hub.listChannels()).toEqual([]);
  });
});

describe.each(TRANSPORTS)("posting and closing over %s", (transport) => {
  it("N-025 the end keeps the state and the metadata", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const channel = await a.open({ type: "conversation", target: "bob" });
    await channel.send("hello");
    const { state } = await network.hub.adapterState(channel.channelId);
    await channel.close();
    expect((await network.hub.adapterState(channel.channelId)).state).toBe(state);
    expect((await network.hub.getChannel(channel.channelId)).state).toBe("closed");
    expect((await channel.info()).state).toBe("closed");
    expect(channel.isTerminal).toBe(true);
  });

  it("N-028 what is sent at once gets ids of its own and stands in the WAL once", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const channel = await a.open({ type: "conversation", target: "bob" });
    const texts = ["one", "two", "three", "four", "five"];
    const ids = await Promise.all(texts.map((text) => channel.send(text)));
    expect(new Set(ids).size).toBe(5);
    const stored = (await network.wal(channel.channelId)).filter((e) => e.event_type === EV_TEXT);
    expect(stored.map(({ event_data }) => event_data["text"])).toEqual(texts);
    expect(stored.map(({ envelope_id }) => envelope_id)).toEqual(ids);
  });

  it("N-029 there is nothing to say in a channel that does not exist", async () => {
    await using network = await startTestNetwork({ transport });
    const { a } = await pair(network);
    const draft = { channel_id: NOBODY, event_type: EV_TEXT, event_data: { text: "hello" } };
    const ways = [
      () => a.send(draft),
      () => network.hub.postEnvelope({ ...draft, sender_id: a.agentId }),
    ];
    for (const post of ways) {
      const posted = post();
      await expect(posted).rejects.toThrow(NotFoundError);
      await expect(posted).rejects.toThrow("channel not found");
    }
  });

  it("N-033 an unknown id in the audience is passed over", async () => {
    await using network = await startTestNetwork({ transport });
    const { a, b } = await pair(network);
    const channel = await a.open({ type: "conversation", target: "bob" });
    const draft = {
      channel_id: channel.channelId,
      event_type: EV_TEXT,
      event_data: { text: "hi" },
    };
    const posted = await a.post({ ...draft, audience: [b.agentId, NOBODY] });
    expect(posted.envelope_id).toMatch(/^[0-9a-f]{32}$/);
    expect(posted.notes).toEqual([]);
    await b.waitForChannelEvent(channel.channelId, ({ event_type }) => event_type === EV_TEXT);
    // A departure: an audience holds members only (section 8).
    const [stored] = (await network.wal(channel.channelId)).slice(-1);
    expect(stored?.audience).toEqual([b.agentId]);
  });
});
