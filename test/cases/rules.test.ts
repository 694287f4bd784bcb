import { type Channel, createScriptedAgent, type Turn } from "@colloquy/client";
import {
  AccessDeniedError,
  type Envelope,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  InboxFullError,
  isNetworkError,
  parseTimestamp,
  RateLimitedError,
} from "@colloquy/protocol";
import { createFakeClock, faultyLink, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
} from "../fixtures/test-network.js";

const AT_ONCE = { baseMs: 1, maxMs: 1 };
const text = (words: string) => ({ event_type: EV_TEXT, event_data: { text: words } });

/** A listener that takes nothing from its connection: what it is sent stays outstanding. */
async function away(network: TestNetwork, name: string, rule = {}) {
  const on = network.connect();
  const client = await network.ackOnly(name, { on, rule });
  return { client, leave: () => on.close() };
}

/** Nothing of the opening waits for its acknowledgement any more. */
async function settled(network: TestNetwork, agentId: string, { channelId }: Channel) {
  const last = (await network.wal(channelId)).at(-1)?.envelope_id;
  await until(() => network.hub.inboxCursor(agentId, channelId) === last);
}

describe.each(TRANSPORTS)("rules over %s", (transport) => {
  it("N-130 an inbox counts what is outstanding: an acknowledgement frees a place, speaking does not", async () => {
    // Design section 8, "inbox counts only shrink when the agent posts": here an acknowledgement does.
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const held: (() => void)[] = [];
    const limits = { inbox: { max_pending: 2 } };
    const bob = await network.ackOnly("bob", { rule: { limits } });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await settled(network, bob.agentId, channel);
    bob.onEnvelope(() => new Promise<void>((resolve) => void held.push(resolve)));
    await channel.send("one");
    await channel.send("two");
    const third = channel.send("three");
    await expect(third).rejects.toBeInstanceOf(InboxFullError);
    await expect(third).rejects.toThrow("inbox at capacity");
    await bob.send({ channel_id: channel.channelId, ...text("I speak") });
    await expect(channel.send("three")).rejects.toBeInstanceOf(InboxFullError);
    await until(() => held.length === 1);
    held[0]?.();
    await until(async () => (await network.hub.inbox(bob.agentId)).pending === 1);
    expect(await channel.send("three")).toMatch(/^[0-9a-f]{32}$/);
    expect(await network.texts(channel.channelId)).toEqual(["one", "two", "I speak", "three"]);
    for (const release of held) release();
  });

  it("N-131 an inbox that is full keeps nobody from inviting its owner", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const cat = await network.ackOnly("cat");
    const rule = { limits: { inbox: { max_pending: 1 } } };
    const bob = await network.ackOnly("bob", { rule });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await settled(network, bob.agentId, channel);
    const held: (() => void)[] = [];
    bob.onEnvelope(async (envelope, client) => {
      if (envelope.event_type === EV_TEXT)
        await new Promise<void>((resolve) => void held.push(resolve));
      else if (envelope.event_type === "ag2.channel.invite") {
        const { channel_id, envelope_id: causation_id } = envelope;
        const answer = { event_type: EV_CHANNEL_INVITE_ACK, event_data: { channel_id } };
        await client.send({ channel_id, causation_id, ...answer });
      }
    });
    await channel.send("fills it");
    await expect(channel.send("too many")).rejects.toBeInstanceOf(InboxFullError);
    const second = await cat.open({ type: "conversation", target: "bob" });
    expect(second.state).toBe("active");
    await second.close();
    expect(await network.hub.inbox(bob.agentId)).toMatchObject({ pending: 1 });
    for (const release of held) release();
  });

  it("N-134 outbound_to is a glob over the names of addressees", async () => {
    await using network = await startTestNetwork({ transport });
    const human = await network.human("hub-opener");
    const ada = await network.ackOnly("ada", { rule: { access: { outbound_to: ["bot-*"] } } });
    const bot = await network.ackOnly("bot-1");
    const user = await network.ackOnly("user-1");
    const own = await ada.open({ type: "conversation", target: "bot-1" });
    await own.send("to the bot", { audience: [bot.agentId] });
    expect(await network.texts(own.channelId)).toEqual(["to the bot"]);
    const target = ["ada", "bot-1", "user-1"];
    const { channelId } = await human.open({ type: "discussion", target });
    const note = { channel_id: channelId, event_type: "app.note", event_data: {} };
    await ada.send({ ...note, audience: [bot.agentId] });
    const refused = ada.send({ ...note, audience: [user.agentId] });
    await expect(refused).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(refused).rejects.toThrow("user-1");
  });

  it("N-135 inbound_from of later keeps a delivery away, and the ledger says so", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    const bob = await network.ackOnly("bob");
    const channel = await ada.open({ type: "conversation", target: "bob" });
    await settled(network, bob.agentId, channel);
    const seen: Envelope[] = [];
    bob.onEnvelope((envelope) => void seen.push(envelope));
    const { access, ...rule } = await network.hub.getRule(bob.agentId);
    await bob.setRule({ ...rule, access: { ...access, inbound_from: [] } });
    const id = await channel.send("unheard");
    expect(await network.texts(channel.channelId)).toEqual(["unheard"]);
    expect(network.hub.ledger(channel.channelId, id)).toMatchObject([
      { recipient_id: bob.agentId, state: "refused", reason: expect.stringContaining("inbound") },
    ]);
    await bob.setRule({ ...rule, access });
    const heard = await channel.send("heard");
    await until(() => seen.some(({ envelope_id }) => envelope_id === heard));
    expect(seen.map(({ event_data }) => event_data["text"])).toEqual(["heard"]);
  });

  it("N-141 N-142 a channel lives as long as its creator's rule says, and without end at 0", async () => {
    await using network = await startTestNetwork({ transport });
    const limits = { channel_ttl_default: "1h" };
    const ada = await network.ackOnly("ada", { rule: { limits } });
    const bob = await network.ackOnly("bob");
    const { metadata } = await ada.open({ type: "conversation", target: "bob" });
    const at = (stamp: string | null) => parseTimestamp(stamp ?? "") ?? Number.NaN;
    const life = at(metadata.expires_at) - at(metadata.created_at);
    expect(Math.abs(life - 3_600_000)).toBeLessThanOrEqual(1_000);
    const endless = await bob.open({ type: "conversation", target: "ada", ttl: 0 });
    expect(endless.metadata.expires_at).toBeNull();
  });

  it("a task without a deadline gets its owner's task_ttl_default and expires (declared only: task_ttl_default)", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport: "local", hub: { clock } });
    const ada = await network.ackOnly("ada", { rule: { limits: { task_ttl_default: "90s" } } });
    const bob = await network.ackOnly("bob", { rule: { limits: { task_ttl_default: 0 } } });
    const task = (task_id: string, owner_id: string, expires_at: string | null = null) => ({
      ...{
        task_id,
        owner_id,
        spec: { title: "t", description: "", payload: {}, capability: null },
      },
      ...{ state: "running" as const, created_at: "", started_at: null, completed_at: null },
      ...{ expires_at, last_progress_at: null, progress: {}, result: null, error: "" },
      channel_id: null,
    });
    await ada.hub.observeTask(task("short", ada.agentId));
    await bob.hub.observeTask(task("endless", bob.agentId));
    const own = new Date(clock.now() + 3_600_000).toISOString();
    await ada.hub.observeTask(task("own", ada.agentId, own));
    const due = parseTimestamp((await network.hub.getTask("short")).expires_at ?? "");
    expect(due).toBe(clock.now() + 90_000);
    expect((await network.hub.getTask("endless")).expires_at).toBeNull();
    expect((await network.hub.getTask("own")).expires_at).toBe(own);
    // What is observed again keeps its deadline.
    await ada.hub.observeTask(task("short", ada.agentId));
    clock.advance(90_000);
    await network.hub.expireDue();
    expect(await network.hub.getTask("short")).toMatchObject({
      ...{ state: "expired", error: "ttl_expired" },
    });
    expect((await network.hub.getTask("endless")).state).toBe("running");
    expect((await network.hub.getTask("own")).state).toBe("running");
  });
});

describe.each(SURROUNDINGS)("a sender's rate, $transport, $store", (surroundings) => {
  it("F-008 admits a burst, says the wait, and neither reconnecting nor a restart refills it", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({
      ...surroundings,
      ...{ hub: { clock }, client: { reconnect: AT_ONCE } },
    });
    const link = faultyLink(network.link());
    const rule = { limits: { rate: { per_minute: 60, burst: 10 } } };
    const ada = await network.ackOnly("ada", { on: network.connect({ link }), rule });
    const cat = await network.ackOnly("cat");
    await network.ackOnly("bob");
    const { channelId } = await ada.open({ type: "discussion", target: ["bob", "cat"] });
    const note = { channel_id: channelId, event_type: "app.note", event_data: {} };
    const post = async (count: number) => {
      const posts = Array.from({ length: count }, () => ada.post(note));
      const outcomes = await Promise.allSettled(posts);
      const errors = outcomes.flatMap((o) =>
        o.status === "rejected" ? [o.reason as unknown] : [],
      );
      for (const error of errors) {
        expect(error).toBeInstanceOf(RateLimitedError);
        expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 1_000 });
        expect((error as Error).message).toContain("retry in 1000 ms");
      }
      return count - errors.length;
    };
    expect(await post(100)).toBe(10);
    expect(await ada.wouldAccept(note)).toMatchObject({
      ...{ accepted: false, code: "rate_limited", details: { retry_after_ms: 1_000 } },
    });
    link.cut();
    expect(await post(20)).toBe(0);
    await network.reopen();
    expect(await post(20)).toBe(0);
    for (let n = 0; n < 30; n += 1) await cat.post(note);
    clock.advance(3_000);
    expect(await ada.wouldAccept(note)).toEqual({ accepted: true });
    expect(await post(20)).toBe(3);
    const wal = await network.wal(channelId);
    const sent = wal.filter(({ event_type }) => event_type === "app.note");
    expect(sent.filter(({ sender_id }) => sender_id === ada.agentId)).toHaveLength(13);
    expect(sent.filter(({ sender_id }) => sender_id === cat.agentId)).toHaveLength(30);
  });
});

it("F-008 a bare peer reads the wait in the message", async () => {
  const bench = await openConnectionBench();
  bench.acceptInvitations();
  const rule = { limits: { rate: { per_minute: 6, burst: 1 } } };
  const ada = await bench.join("ada", "ag2", rule);
  const bob = await bench.join("bob", "ag2");
  const channel = await bench.open("conversation", ada.id, bob.id);
  expect(await ada.request("post_envelope", textOf(channel, ada.id))).toMatchObject({ ok: true });
  expect(await ada.request("post_envelope", textOf(channel, ada.id))).toMatchObject({
    ...{ ok: false, error_code: "error" },
    error_message: expect.stringContaining(
      "exceeded rate (6 a minute, 1 at once); retry in 10000 ms",
    ),
  });
});

describe.each(SURROUNDINGS)("an inbox with two senders, $transport, $store", (surroundings) => {
  it("F-009 refuses both alike, and a broadcast as a whole; emptying it lets both go on", async () => {
    await using network = await startTestNetwork(surroundings);
    const dead: string[] = [];
    network.hub.addListener({ onDeadLetter: (id, _channel, to) => void dead.push(`${to} ${id}`) });
    const one = await network.ackOnly("one");
    const two = await network.ackOnly("two");
    const limits = { inbox: { max_pending: 100, overflow: "reject" as const } };
    const { client: bob, leave } = await away(network, "bob", { limits });
    const channel = await one.open({ type: "discussion", target: ["two", "bob"] });
    await settled(network, bob.agentId, channel);
    await leave();
    const { channelId } = channel;
    const note = { channel_id: channelId, event_type: "app.note", event_data: {} };
    const toBob = { ...note, audience: [bob.agentId] };
    const outcomes = await Promise.allSettled(Array.from({ length: 150 }, () => one.post(toBob)));
    const errors = outcomes.flatMap((o) => (o.status === "rejected" ? [o.reason as unknown] : []));
    expect(errors).toHaveLength(50);
    for (const error of errors) {
      expect(isNetworkError(error) && error.code).toBe("inbox_full");
      expect(error).toMatchObject({ details: { recipient_id: bob.agentId, max_pending: 100 } });
    }
    await expect(two.post(toBob)).rejects.toBeInstanceOf(InboxFullError);
    const length = (await network.wal(channelId)).length;
    await expect(one.post(note)).rejects.toBeInstanceOf(InboxFullError);
    expect(await network.wal(channelId)).toHaveLength(length);
    expect((await network.hub.inbox(two.agentId)).pending).toBe(0);
    expect(dead).toEqual([]);

    const seen = await network.hub.inbox(bob.agentId);
    expect(seen).toMatchObject({
      pending: 100,
      channels: [{ channel_id: channelId, pending: 100 }],
    });
    const back = await network.connect().attach(createScriptedAgent("bob"), "bob", {
      onEnvelope: () => new Promise<never>(() => undefined),
    });
    expect(await back.hub.inbox(back.agentId)).toEqual(seen);
    await expect(back.hub.inbox(one.agentId)).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(back.hub.emptyInbox(one.agentId)).rejects.toBeInstanceOf(AccessDeniedError);
    expect(await back.hub.emptyInbox(back.agentId, { reason: "too much" })).toEqual({
      dropped: 100,
    });
    expect(dead).toHaveLength(100);
    const audited = (await network.hub.audit.readAll()).filter(
      ({ kind }) => kind === "dead_letter",
    );
    expect(audited).toHaveLength(100);
    expect(audited[0]).toMatchObject({ recipient_id: bob.agentId, reason: "too much" });
    await two.post(toBob);
    await one.post(note);
  });
});

describe.each(TRANSPORTS)("agents that pass every request on, over %s", (transport) => {
  it("F-021 end at the depth limit: the error comes back as replies and no channel is left open", async () => {
    await using network = await startTestNetwork({ transport });
    const rule = { limits: { delegation_depth: 2 } };
    const refusals: Error[] = [];
    const passOn =
      (target: string) =>
      async ({ context }: Turn) => {
        try {
          return `${target} says: ${await context.client.consult(target, "and you?")}`;
        } catch (error) {
          refusals.push(error as Error);
          return `refused: ${(error as Error).message}`;
        }
      };
    const { client: ada } = await network.agent("ada", passOn("bob"), { rule });
    await network.agent("bob", passOn("ada"), { rule });
    const human = await network.human("hugo");
    const channel = await human.open({ type: "consulting", target: "ada" });
    await human.say(channel.channelId, "who knows?");
    await until(async () => (await channel.info()).close_reason !== "");
    const [, answer] = await network.texts(channel.channelId);
    expect(answer).toBe(
      "bob says: ada says: refused: sender 'ada' exceeded delegation_depth (3 > 2)",
    );
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toBeInstanceOf(AccessDeniedError);
    const open = (await network.hub.listChannels()).filter(({ state }) => state !== "closed");
    expect(open).toEqual([]);

    // Nobody gets round it by saying less: neither by the channel's course nor by the cause.
    const [deepest] = (await network.hub.listChannels({ limit: 100 })).slice(-1);
    const bob = await network.hub.findAgentId("bob");
    expect(deepest?.participants.map(({ agent_id }) => agent_id)).toContain(bob);
    const parent = deepest?.channel_id ?? "";
    const course = await ada.open({ type: "conversation", target: "bob" });
    await course.send("as deep as may be", { depth: 2 });
    const deeper = ada.open({ type: "conversation", target: "bob", parent: course.channelId });
    await expect(deeper).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(deeper).rejects.toThrow("delegation_depth (3 > 2)");
    const cause = (await network.wal(parent)).find(({ event_type }) => event_type === EV_TEXT);
    const fresh = await ada.open({ type: "conversation", target: "bob" });
    const sly = { channel_id: fresh.channelId, ...text("sly"), depth: 0 };
    await expect(ada.post({ ...sly, causation_id: cause?.envelope_id ?? null })).rejects.toThrow(
      "delegation_depth (3 > 2)",
    );
  });
});
