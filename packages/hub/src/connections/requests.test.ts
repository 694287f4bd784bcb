import { type Envelope, EV_TEXT, type Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";
import { BULKY_AT_ONCE } from "./requests.js";

/** Members A and B of a conversation, on their own connections. */
async function conversation(limits = {}) {
  const bench = await openConnectionBench({ limits });
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  const channel = await bench.open("conversation", a.id, b.id);
  await settle();
  return { bench, a, b, channel };
}

describe("requests", () => {
  it("names an operation that there is not, per profile", async () => {
    const bench = await openConnectionBench();
    const bare = await bench.join("a", "ag2");
    for (const op of ["post", "prepare_turn", "health", "nonsense", "toString"]) {
      expect(await bare.request(op)).toMatchObject({
        ok: false,
        error_code: "protocol_error",
        error_message: `unknown control-plane op: '${op}'`,
      });
    }
    const full = await bench.join("b");
    expect(await full.request("health")).toMatchObject({ ok: true });
    expect(await full.request("nonsense")).toMatchObject({ error_code: "protocol_error" });
  });

  it("runs few bulky operations at once, and none for a connection that has closed", async () => {
    const store = createMemoryStore();
    let reading = 0;
    let most = 0;
    let reads = 0;
    const counted: Store = {
      ...store,
      async readWal(...args) {
        reads += 1;
        reading += 1;
        most = Math.max(most, reading);
        await settle(1);
        reading -= 1;
        return store.readWal(...args);
      },
    };
    const bench = await openConnectionBench({ store: counted });
    bench.acceptInvitations();
    const a = await bench.join("a");
    const b = await bench.join("b");
    const channel_id = await bench.open("conversation", a.id, b.id);
    const asked = Array.from({ length: 100 }, () => a.request("read_page", { channel_id }));
    for (const answer of await Promise.all(asked)) expect(answer.ok).toBe(true);
    expect(most).toBe(BULKY_AT_ONCE);

    reads = 0;
    for (let n = 0; n < 100; n += 1) {
      const params = { channel_id };
      b.send({ kind: "request", request_id: `q${n}`, op: "read_page", params });
    }
    b.connection.closed({ code: 1006, reason: "" });
    await settle(20);
    expect(reads).toBeLessThanOrEqual(BULKY_AT_ONCE);
  });

  it("says which operation, which field and what kind of value was wrong", async () => {
    const bench = await openConnectionBench();
    const full = await bench.join("a");
    const bare = await bench.join("b", "ag2");
    const params = { channel_id: 7 };
    const answer = await full.request("read_wal", params);
    expect(answer.error_code).toBe("invalid_input");
    expect(answer.error_message).toContain('operation "read_wal", field channel_id');
    expect(answer.error_message).toContain("integer");
    const frame = full.peer.frames.at(-1);
    expect(frame).toMatchObject({ error_details: { field: "channel_id", received: "integer" } });
    expect(await bare.request("read_wal", params)).toMatchObject({ error_code: "error" });
  });

  it("refuses a task id of another form before anything else", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    for (const params of [
      { task_id: "../etc" },
      { metadata: { task_id: "" } },
      { envelope: { task_id: "a b" } },
    ]) {
      const answer = await link.request("observe_task", params);
      expect(answer).toMatchObject({ error_code: "protocol_error" });
      expect(answer.error_message).toContain("invalid task_id");
    }
  });

  it("runs side by side: two agents on one connection can open a channel", async () => {
    const bench = await openConnectionBench();
    const link = bench.connect();
    const [a, b] = [await link.register("a"), await link.register("b")];
    const opening = link.request("create_channel", {
      creator_id: a,
      manifest_type: "conversation",
      participants: [b],
    });
    await settle();
    const invite = link.peer.notifies[0]?.envelope as Envelope;
    expect(invite.audience).toEqual([b]);
    await link.call("post_envelope", {
      envelope: {
        ...invite,
        envelope_id: "",
        created_at: "",
        sender_id: b,
        audience: null,
        event_type: "ag2.channel.invite.ack",
        event_data: { channel_id: invite.channel_id },
        causation_id: invite.envelope_id,
      },
    });
    expect(await opening).toMatchObject({ ok: true, result: { state: "active" } });
  });

  it("two connections that number alike each get their own answer, a thousand times", async () => {
    const bench = await openConnectionBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const shared = bench.connect();
    for (let pair = 0; pair < 1_000; pair += 1) {
      for (const link of [a, b, shared]) link.peer.clear();
      const ask = (link: typeof shared, name: string) =>
        link.send({ kind: "request", request_id: "0", op: "find_agent_id", params: { name } });
      ask(a, "a");
      ask(b, "b");
      ask(shared, pair % 2 === 0 ? "a" : "b");
      await settle();
      const resultOf = (link: typeof shared) => link.peer.frames;
      expect(resultOf(a)).toMatchObject([{ request_id: "0", ok: true, result: a.id }]);
      expect(resultOf(b)).toMatchObject([{ request_id: "0", ok: true, result: b.id }]);
      const expected = pair % 2 === 0 ? a.id : b.id;
      expect(resultOf(shared)).toMatchObject([{ request_id: "0", result: expected }]);
    }
  });

  it("answers what cannot be encoded with an error on the bare profile", async () => {
    const bench = await openConnectionBench();
    const bare = await bench.join("a", "ag2");
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    bench.hub.listTasks = async () => [circular as never];
    bench.hub.nameFor = () => 1n as never;
    const answer = await bare.request("names_for", { agent_ids: [bare.id] });
    expect(answer).toMatchObject({ ok: false, error_code: "error" });
    expect(answer.error_message).toContain("internal error");
    expect(bench.logger.at("error")).toHaveLength(1);
    expect(await bare.request("find_agent_id", { name: "a" })).toMatchObject({ ok: true });
  });

  it("answers what is too large for a bare client with an error, and goes on", async () => {
    const { bench, a, channel } = await conversation({ maxBareAnswerBytes: 4_096 });
    const bare = bench.connect({ profile: "ag2" });
    await bare.hello("b");
    const event_data = { text: "x".repeat(5_000) };
    await a.call("post", textOf(channel, a.id, { event_data }));
    const answer = await bare.request("read_wal", { channel_id: channel });
    expect(answer).toMatchObject({ ok: false, error_code: "error" });
    expect(answer.error_message).toMatch(/the answer has \d+ bytes/);
    expect(await bare.request("read_wal", { channel_id: channel, until: 2 })).toMatchObject({
      ok: true,
    });
    expect(await a.request("read_wal", { channel_id: channel })).toMatchObject({ ok: true });
  });

  it("keeps an error small, whatever it is about", async () => {
    const bench = await openConnectionBench();
    const full = await bench.join("a");
    const bare = await bench.join("b", "ag2");
    const long = "x".repeat(500_000);
    const knobs = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`knob${n}`, n]));
    const opening = { manifest_type: "conversation", participants: [full.id, bare.id], knobs };
    const graph = { initial_speaker: full.id, default_target: { name: long } };
    for (const one of [full, bare]) {
      const creator_id = one.id;
      const other = one === full ? bare.id : full.id;
      const requests: readonly [string, object][] = [
        ["get_agent", { name_or_id: long }],
        ["get_rule", { agent_id: long }],
        ["create_channel", { ...opening, creator_id, participants: [other] }],
        [
          "create_channel",
          { creator_id, manifest_type: "workflow", participants: [other], knobs: { graph } },
        ],
      ];
      for (const [op, params] of requests) {
        const answer = await one.request(op, params);
        expect(answer.ok).toBe(false);
        expect(answer.error_message.length).toBeLessThan(4_100);
        expect(JSON.stringify(one.peer.frames.at(-1)).length).toBeLessThan(20_000);
      }
    }
    const answer = await full.request("create_channel", {
      ...opening,
      creator_id: full.id,
      participants: [bare.id],
    });
    expect(answer.error_message).toContain("knob0");
    expect(answer.error_message).toContain("4990 more");
  });

  it("hides a fault of the hub and logs it", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    bench.hub.getRule = async () => {
      throw new Error("secret detail");
    };
    const answer = await a.request("get_rule", { agent_id: a.id });
    expect(answer).toMatchObject({ ok: false, error_code: "internal" });
    expect(answer.error_message).not.toContain("secret");
    expect(JSON.stringify(bench.logger.at("error"))).toContain("secret detail");
  });

  it("answers nothing to a connection that has closed", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    a.peer.clear();
    a.send({ kind: "request", request_id: "1", op: "list_agents", params: {} });
    a.drop();
    await settle();
    a.send({ kind: "ping" });
    expect(a.peer.frames).toEqual([]);
  });
});

describe("reading a channel", () => {
  it("what is for one member only is on no path that another member has", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const three = await bench.open("discussion", a.id, b.id, c.id);
    const word = "xylophone-4711";
    const text = textOf(three, a.id, { event_data: { text: word }, audience: [b.id] });
    const id = (await a.call("post_envelope", text)) as string;
    await settle();
    const byCause = { channel_id: three, sender_id: a.id, causation_id: "none" };
    const seenByC = [
      await c.call("read_wal", { channel_id: three }),
      await c.call("read_page", { channel_id: three }),
      await c.call("prepare_turn", {
        channel_id: three,
        agent_id: c.id,
        envelope_id: c.peer.notifiedIds.at(-1) ?? "",
        last: null,
      }),
      await c.call("find_envelope_by_causation", byCause),
      await c.call("get_state", { channel_id: three }),
      await c.call("search_text", { channel_id: three, agent_id: c.id, query: "xylo" }),
      c.peer.steps,
    ];
    expect(JSON.stringify(seenByC)).not.toContain(word);
    c.drop();
    const back = bench.connect();
    await back.hello("c", { since_envelope_id: "" });
    await settle();
    expect(JSON.stringify(back.peer.steps)).not.toContain(word);
    expect(JSON.stringify(await bench.hub.readWal(three))).toContain(word);
    expect(JSON.stringify(await b.call("read_wal", { channel_id: three }))).toContain(word);
    const wal = (await back.call("read_wal", { channel_id: three })) as Envelope[];
    const hidden = wal.find(({ envelope_id }) => envelope_id === id);
    expect(hidden).toMatchObject({
      sender_id: a.id,
      event_type: EV_TEXT,
      event_data: { text: "" },
    });
  });

  it("a search gives the asking member what its own reads give, and page by page", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const channel_id = await bench.open("conversation", a.id, b.id);
    const say = (text: string, audience: string[] | null = null) =>
      a.call("post", textOf(channel_id, a.id, { event_data: { text }, audience }));
    await say("a fox for all");
    await say("a fox for nobody", []);
    await say("a Fox for b", [b.id]);
    const search = (caller: typeof a, agent_id: string, more = {}) =>
      caller.call("search_text", { channel_id, agent_id, query: "fox", ...more }) as Promise<{
        envelopes: Envelope[];
        positions: number[];
        next: number | null;
      }>;
    const said = ({ envelopes }: { envelopes: Envelope[] }) =>
      envelopes.map(({ event_data }) => event_data["text"]);
    expect(said(await search(a, a.id))).toHaveLength(3);
    expect(said(await search(b, b.id))).toEqual(["a fox for all", "a Fox for b"]);
    const first = await search(b, b.id, { order: "newest", limit: 1 });
    expect(said(first)).toEqual(["a Fox for b"]);
    const second = await search(b, b.id, { order: "newest", before: first.next });
    expect(said(second)).toEqual(["a fox for all"]);
    expect(second.next).toBeNull();
    // Two agents on one connection: each sees its own, whoever else is bound there.
    await b.hello("a");
    expect(said(await search(b, b.id))).toEqual(["a fox for all", "a Fox for b"]);
    expect(said(await search(b, a.id))).toHaveLength(3);
    const asAnother = { channel_id, agent_id: a.id, query: "fox" };
    expect(await c.request("search_text", asAnother)).toMatchObject({
      error_code: "access_denied",
    });
  });

  it("pages with positions, and says where the next page begins", async () => {
    const { a, channel } = await conversation();
    for (let n = 0; n < 4; n += 1) await a.call("post", textOf(channel, a.id));
    const all = (await a.call("read_wal", { channel_id: channel })) as Envelope[];
    const first = { channel_id: channel, limit: 3 };
    const page = (await a.call("read_page", first)) as { next: number; positions: number[] };
    expect(page).toMatchObject({ positions: [1, 2, 3], next: 3, head: all.length });
    const rest = await a.call("read_page", { channel_id: channel, after: page.next });
    expect(rest).toMatchObject({ next: null, envelopes: all.slice(3) });
  });

  it("lists the channels of all agents that are bound here, each once", async () => {
    const { bench, a, b, channel } = await conversation();
    await a.hello("b");
    const second = await bench.open("conversation", b.id, a.id);
    const list = (await a.call("list_channels", { limit: 10 })) as { channel_id: string }[];
    expect(list.map(({ channel_id }) => channel_id)).toEqual([channel, second]);
    expect(await a.call("list_channels", { limit: 1 })).toMatchObject([{ channel_id: channel }]);
  });
});

describe("posting", () => {
  it("gives position and remarks on colloquy.v1, and the id on both", async () => {
    const { bench, a, channel } = await conversation();
    const posted = await a.call("post", textOf(channel, a.id, { idempotency_key: "k" }));
    expect(posted).toMatchObject({ duplicate: false, notes: [], position: expect.any(Number) });
    const again = await a.call("post", textOf(channel, a.id, { idempotency_key: "k" }));
    expect(again).toEqual({ ...(posted as object), duplicate: true });
    const wal = await bench.hub.readWal(channel);
    expect(wal.at(-1)?.envelope_id).toBe((posted as { envelope_id: string }).envelope_id);
  });

  it("leaves the events of a channel's life to the hub", async () => {
    const { bench, a, channel } = await conversation();
    const before = await bench.hub.readWal(channel);
    for (const type of ["ag2.channel.closed", "ag2.channel.opened", "ag2.channel.anything"]) {
      const event_data = { channel_id: channel, reason: "forged" };
      const params = textOf(channel, a.id, { event_type: type, event_data });
      const answer = await a.request("post_envelope", params);
      expect(answer).toMatchObject({ ok: false, error_code: "protocol_error" });
      expect(answer.error_message).toContain("only by the hub");
    }
    expect(await bench.hub.readWal(channel)).toEqual(before);
  });

  it("admits the posts of one connection in the order in which they came", async () => {
    const { bench, a, channel } = await conversation();
    for (let n = 0; n < 50; n += 1) {
      const params = textOf(channel, a.id, { event_data: { text: String(n) } });
      a.send({ kind: "request", request_id: `p${n}`, op: "post", params });
    }
    await settle();
    const texts = (await bench.hub.readWal(channel)).filter((e) => e.event_type === EV_TEXT);
    expect(texts.map((e) => e.event_data["text"])).toEqual(
      Array.from({ length: 50 }, (_, n) => `${n}`),
    );
  });
});

describe("tasks", () => {
  const metadata = (owner_id: string, rest = {}) => ({
    task_id: "task-1",
    owner_id,
    spec: { title: "work" },
    state: "running",
    ...rest,
  });

  it("are seen by the owner and the members of their channel, and changed by the owner", async () => {
    const { bench, a, b, channel } = await conversation();
    const c = await bench.join("c");
    await a.call("observe_task", { metadata: metadata(a.id, { channel_id: channel }) });
    const byId = { task_id: "task-1" };
    expect(await a.call("get_task", byId)).toMatchObject({ owner_id: a.id });
    expect(await b.call("get_task", byId)).toMatchObject({ owner_id: a.id });
    const hidden = await c.request("get_task", byId);
    const unknown = await c.request("get_task", { task_id: "task-2" });
    expect(hidden.error_message.replace("task-1", "task-2")).toBe(unknown.error_message);
    expect(hidden.error_code).toBe(unknown.error_code);
    expect(await c.call("list_tasks")).toEqual([]);
    expect(await b.call("list_tasks")).toHaveLength(1);
    for (const op of ["update_task", "checkpoint_task", "read_task_checkpoint"]) {
      const answer = await b.request(op, { ...byId, state: op === "update_task" ? "failed" : {} });
      expect([op, answer.error_code]).toEqual([op, "access_denied"]);
    }
    await a.call("update_task", { ...byId, progress: { done: 1 } });
    expect(await a.call("get_task", byId)).toMatchObject({
      progress: { done: 1 },
      state: "running",
    });
    const foreign = metadata(c.id, { task_id: "task-3", channel_id: channel });
    expect(await c.request("observe_task", { metadata: foreign })).toMatchObject({
      error_code: "not_found",
    });
  });

  it("N-186 a checkpoint is null before it is written, and then what was written", async () => {
    const bench = await openConnectionBench();
    const a = await bench.join("a");
    const state = { step: 3, nested: { list: [1, { deep: true }], text: "x" } };
    expect(await a.call("read_task_checkpoint", { task_id: "t" })).toBeNull();
    await a.call("checkpoint_task", { task_id: "t", state });
    expect(await a.call("read_task_checkpoint", { task_id: "t" })).toEqual(state);
  });

  it("report no event but a failed mirror, with its five facts, cut to size", async () => {
    const events: unknown[] = [];
    const listener = { onTaskEvent: (...facts: unknown[]) => void events.push(facts) };
    const bench = await openConnectionBench({ listener });
    const a = await bench.join("a");
    const b = await bench.join("b");
    const fire = (kind: string, payload: object) =>
      a.request("fire_task_event", { task_id: "t", kind, payload });
    expect(await fire("completed", { owner_id: a.id })).toMatchObject({
      error_code: "access_denied",
    });
    expect(await fire("mirror_failed", { owner_id: b.id })).toMatchObject({
      error_code: "access_denied",
    });
    expect(await fire("mirror_failed", { owner_id: a.id, more: 1 })).toMatchObject({
      error_code: "protocol_error",
    });
    expect(events).toEqual([]);
    const payload = { owner_id: a.id, op: "observe", exc_message: "x".repeat(600) };
    expect(await fire("mirror_failed", payload)).toMatchObject({ ok: true, result: null });
    const cut = { ...payload, exc_message: "x".repeat(500) };
    expect(events).toEqual([["t", "mirror_failed", cut]]);
  });
});
