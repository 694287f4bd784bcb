import { createDefaultAdapters } from "@colloquy/adapters";
import {
  AccessDeniedError,
  EV_TEXT,
  type NetworkError,
  RateLimitedError,
  type RuleInput,
  StoreError,
} from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openHub } from "../open-hub.js";
import { composeArbiter } from "../policy/compose-arbiter.js";

type Outcome = "ok" | NetworkError["code"];

async function openBench(limits: { rememberedEnvelopes?: number } = {}) {
  const disk = createMemoryDisk();
  const clock = createFakeClock();
  const ids = createFakeIds();
  const open = async () => {
    const memory = createMemoryStore({ disk });
    const store = faulty(memory);
    const adapters = createDefaultAdapters();
    const hub = await openHub({ store, clock, ids, adapters, limits });
    return { hub, store, kill: () => memory.crash(), ...createHubBench(hub) };
  };
  const first = await open();
  const outcome = (post: Promise<unknown>): Promise<Outcome> =>
    post.then(
      () => "ok" as const,
      (error: NetworkError) => error.code,
    );
  return { ...first, clock, reopen: open, outcome };
}

const LIMITED: RuleInput = { limits: { rate: { per_minute: 60, burst: 2 } } };

describe("a sender's rate", () => {
  it("is used by what is stored and by nothing else", async () => {
    const { hub, store, join, open, say, outcome } = await openBench();
    const a = await join("a", { rule: LIMITED });
    const b = await join("b", { rule: { limits: { rate: { per_minute: 1, burst: 1 } } } });
    // Neither opening nor answering an invitation counts.
    const { channel_id: id } = await open("conversation", b, [a]);
    const other = (await open("conversation", a, [b])).channel_id;
    store.failNext("commit");
    await expect(say(id, a, "lost")).rejects.toThrow(StoreError);
    expect(await outcome(say(id, a, "", { event_data: { text: 1 } }))).toBe("invalid_input");
    expect(await outcome(say(id, a, "1", { idempotency_key: "k" }))).toBe("ok");
    expect(await outcome(say(id, a, "1", { idempotency_key: "k" }))).toBe("ok");
    // Over all channels, and whatever the type.
    expect(await outcome(say(other, a, "2", { event_type: "ag2.task.progress" }))).toBe("ok");
    const refused = say(id, a, "3");
    await expect(refused).rejects.toBeInstanceOf(RateLimitedError);
    await expect(refused).rejects.toMatchObject({
      retryAfterMs: 1_000,
      details: { retry_after_ms: 1_000 },
    });
    expect(await outcome(say(id, b, "from b"))).toBe("ok");
    expect(await outcome(say(id, b, "from b"))).toBe("rate_limited");
    expect(hub.health().pending_inbox_total).toBeGreaterThan(0);
  });

  it("is not refilled by a kill, and starts anew for who registers anew", async () => {
    const { hub, clock, kill, reopen, join, open, say, outcome } = await openBench();
    const a = await join("a", { rule: LIMITED });
    const b = await join("b");
    const { channel_id: id } = await open("conversation", a, [b]);
    await Promise.all([say(id, a, "1"), say(id, a, "2")]);
    kill();
    await hub.close().catch(() => undefined);
    const again = await reopen();
    expect(await outcome(again.say(id, a, "3"))).toBe("rate_limited");
    clock.advance(1_000);
    expect(await outcome(again.say(id, a, "3"))).toBe("ok");
    await again.hub.unregister(a);
    const back = await again.join("a", { rule: LIMITED });
    const next = (await again.open("conversation", back, [await again.join("c")])).channel_id;
    expect(await outcome(again.say(next, back, "1"))).toBe("ok");
    expect(await outcome(again.say(next, back, "2"))).toBe("ok");
    expect(await outcome(again.say(next, back, "3"))).toBe("rate_limited");
  });

  it("may be decided by a program's own gate", async () => {
    const { hub, join, open, say, outcome } = await openBench();
    const a = await join("a", { rule: LIMITED });
    const { channel_id: id } = await open("conversation", a, [await join("b")]);
    const seen: number[] = [];
    const authorizeRate = ({ used }: { readonly used: number }) => {
      seen.push(used);
      return { allow: true } as const;
    };
    hub.setArbiter(composeArbiter(hub.arbiter, { authorizeRate }));
    for (const text of ["1", "2", "3"]) expect(await outcome(say(id, a, text))).toBe("ok");
    expect(seen).toEqual([0, 1, 2]);
  });
});

describe("the depth of an envelope", () => {
  const depths = async (read: Promise<readonly { event_type: string; depth: number }[]>) =>
    (await read).filter(({ event_type }) => event_type === EV_TEXT).map(({ depth }) => depth);

  it("follows its cause in the same channel, however old, also after a restart", async () => {
    const { hub, reopen, join, open, say } = await openBench({ rememberedEnvelopes: 2 });
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b]);
    const asked = await say(id, a, "q", { depth: 3 });
    for (const text of ["1", "2", "3", "4"]) await say(id, a, text);
    await say(id, b, "early", { causation_id: asked.envelope_id });
    await hub.close();
    const again = await reopen();
    await again.say(id, a, "late", { causation_id: asked.envelope_id, depth: 1 });
    expect(await depths(again.hub.readWal(id))).toEqual([3, 0, 0, 0, 0, 3, 3]);
  });

  it("is one more than its cause's where that stands in another channel", async () => {
    const { hub, reopen, join, open, say } = await openBench();
    const [a, b, c] = [await join("a"), await join("b"), await join("c")];
    const { channel_id: first } = await open("conversation", a, [b]);
    const { channel_id: second } = await open("conversation", b, [c]);
    const cause = (await say(first, a, "q", { depth: 2 })).envelope_id;
    await say(second, b, "at once", { causation_id: cause });
    await say(second, b, "claims more", { event_type: "app.note", causation_id: cause, depth: 5 });
    await hub.close();
    const again = await reopen();
    await again.say(second, c, "read", { causation_id: cause });
    await again.say(second, c, "no such cause", { causation_id: "f".repeat(32) });
    expect(await depths(again.hub.readWal(second))).toEqual([3, 3, 0]);
  });

  it("keeps posts in their order while the cause of one is read", async () => {
    const { hub, reopen, join, open, say } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b]);
    const { envelope_id } = await say(id, a, "0");
    await hub.close();
    const again = await reopen();
    await again.say(id, a, "1");
    await Promise.all([
      again.say(id, b, "2", { causation_id: envelope_id }),
      again.say(id, a, "3"),
      again.say(id, a, "4"),
    ]);
    expect(await again.texts(id)).toEqual(["0", "1", "2", "3", "4"]);
  });

  it("is not guessed where its cause cannot be read: the post is refused and may be repeated", async () => {
    const { hub, reopen, join, open, say } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b]);
    const { envelope_id: causation_id } = await say(id, a, "q", { depth: 2 });
    for (let n = 0; n < 3; n += 1) await say(id, a, `${n}`);
    await hub.close();
    const again = await reopen();
    const { channel_id: other } = await again.open("conversation", a, [await again.join("c")]);
    again.store.failNext("readEnvelope");
    await expect(again.say(other, a, "1", { causation_id })).rejects.toThrow(StoreError);
    again.store.failNext("readEnvelope");
    const draft = { channel_id: other, sender_id: a, event_type: EV_TEXT, causation_id };
    const dry = again.hub.wouldAccept({ ...draft, event_data: { text: "2" } });
    await expect(dry).rejects.toThrow(StoreError);
    await again.say(other, a, "3", { causation_id });
    expect(await depths(again.hub.readWal(other))).toEqual([3]);
  });

  it("is at least one more than that of the channel in whose course its channel was opened", async () => {
    const { hub, reopen, join, open, say } = await openBench();
    const rule = { limits: { delegation_depth: 2 } };
    const [a, b] = [await join("a", { rule }), await join("b", { rule })];
    const top = (await open("conversation", a, [b])).channel_id;
    const inner = (await open("conversation", b, [a], { parent_channel_id: top })).channel_id;
    await say(inner, b, "claims nothing");
    await hub.close();
    const again = await reopen();
    for (const agent of [a, b]) again.adopt(agent);
    await again.say(inner, a, "after a restart");
    expect(await depths(again.hub.readWal(inner))).toEqual([1, 1]);
    const third = await again.open("conversation", a, [b], { parent_channel_id: inner });
    const count = (await again.hub.listChannels()).length;
    const fourth = again.open("conversation", b, [a], { parent_channel_id: third.channel_id });
    await expect(fourth).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(fourth).rejects.toThrow("delegation_depth (3 > 2)");
    expect(await again.hub.listChannels()).toHaveLength(count);
  });
});

describe("ids of an audience that nobody has", () => {
  it("are mapped or refused by the arbiter", async () => {
    const { hub, join, open, say, outcome } = await openBench();
    const [a, b, c] = [await join("a"), await join("b"), await join("c")];
    const { channel_id: id } = await open("discussion", a, [b]);
    const asked: unknown[] = [];
    hub.setArbiter(
      composeArbiter(hub.arbiter, {
        resolveUnknownAudience({ unknown, sender, channel }) {
          asked.push([...unknown, sender.id, channel.channel_id]);
          return unknown.includes("nobody")
            ? { allow: false, reason: "who is that?" }
            : { allow: true, audience: [b, b, c] };
        },
      }),
    );
    const note = { event_type: "app.note" };
    const posted = await say(id, a, "", { ...note, audience: ["old-b", "old-b"] });
    expect((await hub.readWal(id)).at(-1)?.audience).toEqual([b]);
    expect(posted.notes).toEqual([expect.stringContaining(c)]);
    const refused = say(id, a, "", { ...note, audience: [b, "nobody"] });
    expect(await outcome(refused)).toBe("access_denied");
    await expect(refused).rejects.toThrow("who is that?");
    expect(asked).toEqual([
      ["old-b", a, id],
      ["nobody", a, id],
    ]);
  });
});

describe("an inbox", () => {
  it("is shown and emptied, durably and with a dead letter for each", async () => {
    const { hub, kill, reopen, join, open, say } = await openBench();
    const dead: string[] = [];
    hub.addListener({ onDeadLetter: (...facts) => void dead.push(facts.slice(2).join(" ")) });
    const a = await join("a");
    const b = await join("b", { rule: { limits: { inbox: { max_pending: 10, high_water: 5 } } } });
    const one = (await open("conversation", a, [b])).channel_id;
    const two = (await open("conversation", a, [b])).channel_id;
    const oldest = await say(two, a, "1");
    await say(one, a, "2");
    const newer = await say(two, a, "3");
    expect(await hub.inbox(b)).toEqual({
      agent_id: b,
      pending: 3,
      max_pending: 10,
      overflow: "reject",
      high_water: 5,
      oldest: {
        channel_id: two,
        envelope_id: oldest.envelope_id,
        created_at: oldest.created_at,
      },
      channels: [
        { channel_id: two, pending: 2, oldest_envelope_id: oldest.envelope_id },
        expect.objectContaining({ channel_id: one, pending: 1 }),
      ],
      channel_count: 2,
    });
    expect((await hub.inbox(b, 1)).channels).toHaveLength(1);
    expect(await hub.emptyInbox(b, { channel_id: two, reason: "stale" })).toEqual({ dropped: 2 });
    expect(dead).toEqual([`${b} stale`, `${b} stale`]);
    expect(hub.ledger(two, newer.envelope_id)).toMatchObject([{ state: "dead", reason: "stale" }]);
    kill();
    await hub.close().catch(() => undefined);
    const again = await reopen();
    expect(await again.hub.inbox(b)).toMatchObject({ pending: 1, channel_count: 1 });
    expect(await again.hub.emptyInbox(b)).toEqual({ dropped: 1 });
    expect(await again.hub.emptyInbox(b)).toEqual({ dropped: 0 });
    expect(await again.hub.inbox(b)).toMatchObject({ pending: 0, oldest: null, channels: [] });
    await expect(again.hub.inbox("nobody")).rejects.toMatchObject({ code: "not_found" });
    await expect(again.hub.emptyInbox("nobody")).rejects.toMatchObject({ code: "not_found" });
  });

  it("shows what waits in channels that ended before the hub was opened", async () => {
    const { hub, reopen, join, open, say } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b]);
    await say(id, a, "unread");
    await hub.closeChannel(id);
    await hub.close();
    const again = await reopen();
    expect(await again.hub.inbox(b)).toMatchObject({ pending: 1 });
    expect(await again.hub.emptyInbox(b)).toEqual({ dropped: 1 });
    await until(async () => (await again.hub.inbox(b)).pending === 0);
  });
});
