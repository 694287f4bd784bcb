import type { AgentClient } from "@colloquy/client";
import {
  createPassport,
  createResume,
  createRule,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_OPENED,
  EV_TEXT,
  type NotifyFrame,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { type BareLink, connectBare } from "../fixtures/bare-link.js";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";
import { watchBindings } from "../fixtures/watch-bindings.js";

const EV_PROGRESS = "ag2.task.progress";

/** The first notify of a type. */
const notifiedOf = (bare: BareLink, type: string): Promise<NotifyFrame> =>
  until(() => bare.notifies.find(({ envelope }) => envelope.event_type === type), {
    describe: `a notify of ${type}`,
  });

/** Registers over a bare link; resolves with the agent's id. */
async function registerBare(bare: BareLink, name: string): Promise<string> {
  const { result } = await bare.request("register", {
    ...{ passport: createPassport({ name }), resume: createResume(), rule: createRule() },
    skill_md: null,
  });
  return (result as { agent_id: string }).agent_id;
}

/** A channel between A, an ordinary agent, and B, who sits behind a bare link and has acked nothing. */
async function bareMember(network: TestNetwork, type = "conversation") {
  const endpoints = watchBindings(network.hub);
  const a = await network.ackOnly("ada");
  const bare = await connectBare(network.link());
  const b = await registerBare(bare, "bob");
  const opening = a.open({ type, target: "bob" });
  const { envelope: invite } = await notifiedOf(bare, EV_CHANNEL_INVITE);
  await bare.post({
    ...{ channel_id: invite.channel_id, sender_id: b, event_type: EV_CHANNEL_INVITE_ACK },
    ...{ event_data: { channel_id: invite.channel_id }, causation_id: invite.envelope_id },
  });
  const channel = await opening;
  await notifiedOf(bare, EV_CHANNEL_OPENED);
  const { channelId } = channel;
  return {
    ...{ a, b, bare, channel, channelId, invite },
    cursor: () => network.hub.inboxCursor(b, channelId),
    /** Settles as B does it. */
    receipt: (envelope_id: string, status: "ack" | "nack" = "ack", reason = "") =>
      bare.receipt({ envelope_id, status, reason, recipient_id: b, channel_id: channelId }),
    progress: (step: number) => postProgress(a, channelId, b, step),
    /** Cuts B's link, and resolves when the hub knows. */
    async leave() {
      bare.close();
      await until(() => !endpoints.has(b));
    },
  };
}

/** Turn order does not apply to this type. */
function postProgress(a: AgentClient, channel_id: string, to: string, step: number) {
  return a.send({ channel_id, event_type: EV_PROGRESS, event_data: { step }, audience: [to] });
}

describe.each(SURROUNDINGS)("receipts and cursors, $transport, $store", (options) => {
  it("N-158 the cursor follows what was dealt with, and is stored", async () => {
    await using network = await startTestNetwork(options);
    const { client: a } = await network.agent("ada");
    const b = await network.agent("bob", [""]);
    const channel = await a.open({ type: "discussion", target: "bob" });
    const text = await channel.send("a text");
    const cursor = () => network.hub.inboxCursor(b.client.agentId, channel.channelId);
    await until(() => cursor() === text);
    expect(b.script.turns).toHaveLength(1);

    // Who is not there can move nothing any more: what is found after the start was stored.
    await Promise.all([a.hub.close(), b.client.hub.close()]);
    await network.reopen();
    expect(cursor()).toBe(text);
  });

  it("N-159 the cursor never moves backwards", async () => {
    await using network = await startTestNetwork(options);
    const { bare, channel, invite, cursor, receipt } = await bareMember(network);
    const text = await channel.send("a text");
    await bare.notified(text);
    receipt(text);
    await bare.barrier();
    expect(cursor()).toBe(text);
    receipt(invite.envelope_id);
    await bare.barrier();
    expect(cursor()).toBe(text);
  });

  it("N-160 a refused envelope leaves the cursor where it is", async () => {
    const hub = { limits: { redeliveryBaseMs: 1 } };
    await using network = await startTestNetwork({ ...options, hub });
    const { bare, channel, cursor, receipt } = await bareMember(network);
    const first = await channel.send("one");
    await bare.notified(first);
    receipt(first);
    const text = await channel.send("two");
    await bare.notified(text);
    await bare.barrier();
    const before = cursor();
    expect(before).toBe(first);
    receipt(text, "nack", "busy");
    // A departure: what was refused is delivered again (receipts, section 8).
    await until(() => bare.notifies.some(({ attempt }) => attempt === 2));
    expect(cursor()).toBe(before);
  });

  it("N-161 a receipt that names no channel settles nothing", async () => {
    await using network = await startTestNetwork(options);
    const { b, bare, channel, cursor } = await bareMember(network);
    const text = await channel.send("a text");
    await bare.notified(text);
    expect(cursor()).toBe("");
    bare.receipt({ envelope_id: text, status: "ack", recipient_id: b });
    await bare.barrier();
    expect(cursor()).toBe("");
  });

  it("N-162 N-163 an envelope is found by what it answers", async () => {
    await using network = await startTestNetwork(options);
    const a = await network.ackOnly("ada");
    await network.ackOnly("bob");
    const { channelId, send } = await a.open({ type: "conversation", target: "bob" });
    const cause = "1".repeat(32);
    const answer = await send("because of it", { causation_id: cause });
    await send("just so");
    for (const hub of [network.hub, a.hub]) {
      const found = await hub.findEnvelopeByCausation(channelId, a.agentId, cause);
      expect(found).toMatchObject({
        ...{ envelope_id: answer, sender_id: a.agentId, causation_id: cause },
        ...{ event_type: EV_TEXT, event_data: { text: "because of it" } },
      });
      const never = "2".repeat(32);
      expect(await hub.findEnvelopeByCausation(channelId, a.agentId, never)).toBeNull();
    }
  });

  it("N-169 an envelope of a task reaches its addressee, whose receipt moves the cursor", async () => {
    await using network = await startTestNetwork(options);
    const { b, bare, cursor, receipt, progress } = await bareMember(network, "discussion");
    const id = await progress(1);
    const notify = await bare.notified(id);
    expect(notify.recipient_id).toBe(b);
    expect(notify.envelope).toMatchObject({ event_type: EV_PROGRESS, event_data: { step: 1 } });
    receipt(id);
    await bare.barrier();
    expect(cursor()).toBe(id);
  });
});

describe.each(SURROUNDINGS)("coming back, $transport, $store", (options) => {
  it("N-164 what lies above the given id is sent again, in the order of the WAL", async () => {
    await using network = await startTestNetwork(options);
    const { b, bare, channel, progress, leave } = await bareMember(network);
    const seen = await channel.send("seen");
    await bare.notified(seen);
    await leave();
    const missed = [await progress(1), await progress(2)];

    using again = await connectBare(network.link());
    const welcome = await again.hello("bob", { since_envelope_id: seen });
    expect(again.frames[0]).toBe(welcome);
    expect(welcome.kind).toBe("welcome");
    await until(() => again.notifies.length >= 2);
    await again.barrier();
    expect(again.notifies.map(({ envelope }) => envelope.envelope_id)).toEqual(missed);
    expect(again.notifies.map(({ recipient_id }) => recipient_id)).toEqual([b, b]);
  });

  it("N-165 what was acknowledged does not come again, whatever mark is given", async () => {
    await using network = await startTestNetwork(options);
    const { bare, channel, cursor, receipt, progress, leave } = await bareMember(network);
    const last = await channel.send("the last");
    await bare.notified(last);
    for (const { envelope } of bare.notifies) receipt(envelope.envelope_id);
    await bare.barrier();
    expect(cursor()).toBe(last);
    await leave();

    using again = await connectBare(network.link());
    expect((await again.hello("bob", { since_envelope_id: "" })).kind).toBe("welcome");
    const later = await progress(1);
    await again.notified(later);
    expect(again.notifies.map(({ envelope }) => envelope.envelope_id)).toEqual([later]);
  });

  it("N-166 without a mark nothing is sent again", async () => {
    await using network = await startTestNetwork(options);
    const { bare, channel, progress, leave } = await bareMember(network);
    await bare.notified(await channel.send("not acknowledged"));
    await leave();

    using again = await connectBare(network.link());
    expect((await again.hello("bob")).kind).toBe("welcome");
    const later = await progress(1);
    await again.notified(later);
    expect(again.notifies.map(({ envelope }) => envelope.envelope_id)).toEqual([later]);
  });

  it("N-167 the cursor is the same after a start", async () => {
    await using network = await startTestNetwork(options);
    const { bare, channel, cursor, receipt } = await bareMember(network);
    const text = await channel.send("a text");
    await bare.notified(text);
    receipt(text);
    await bare.barrier();
    expect(cursor()).toBe(text);
    await network.reopen();
    expect(cursor()).toBe(text);
  });

  it("N-168 a trigger that comes twice is answered once", async () => {
    const hub = { limits: { redeliveryBaseMs: 1 } };
    await using network = await startTestNetwork({ ...options, hub });
    const a = await network.ackOnly("ada");
    const b = await network.agent("bob", ["the first answer", "another one"]);
    const attempts: number[] = [];
    b.client.onEnvelope(async (envelope, client, delivery) => {
      await client.defaultHandler(envelope, client, delivery);
      if (envelope.event_type !== EV_TEXT) return;
      attempts.push(delivery.attempt);
      if (delivery.attempt === 1) throw new Error("it breaks down before the receipt");
    });
    const channel = await a.open({ type: "conversation", target: "bob" });
    await channel.send("a question");
    await until(() => attempts.length === 2);
    expect(attempts).toEqual([1, 2]);
    const said = (await network.wal(channel.channelId)).filter(
      ({ sender_id, event_type }) => sender_id === b.client.agentId && event_type === EV_TEXT,
    );
    expect(said.map(({ event_data }) => event_data["text"])).toEqual(["the first answer"]);
    expect(b.script.turns).toHaveLength(1);
  });
});
