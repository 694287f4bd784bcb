import { createDefaultAdapters } from "@colloquy/adapters";
import {
  AccessDeniedError,
  type ChannelAdapter,
  type Envelope,
  type EnvelopeDraft,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_OPENED,
  EV_CONTEXT_SET,
  EV_EXPECTATION_VIOLATED,
  EV_TEXT,
  InboxFullError,
  InvalidInputError,
  NotFoundError,
  ProtocolError,
  TooLargeError,
  UnavailableError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakeIds,
  createHubBench,
  createRecordingLogger,
  faulty,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";
import { createAllowAllArbiter } from "../policy/allow-all-arbiter.js";

async function openBench(options: Partial<HubOptions> = {}) {
  const store = faulty(createMemoryStore());
  const logger = createRecordingLogger();
  const { hub, context } = await assembleHub({
    store,
    logger,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  return { hub, context, store, logger, ...createHubBench(hub) };
}

async function openPair(options: Partial<HubOptions> = {}, type = "conversation") {
  const bench = await openBench(options);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open(type, a, [b]);
  const draft = (fields: Partial<EnvelopeDraft> = {}): EnvelopeDraft => ({
    channel_id: id,
    sender_id: a,
    event_type: EV_TEXT,
    event_data: { text: "hello" },
    ...fields,
  });
  return { ...bench, a, b, id, draft };
}

/** Refuses and shows that log, state, inboxes and the next position are as before. */
async function expectRefused(
  bench: Awaited<ReturnType<typeof openPair>>,
  draft: EnvelopeDraft,
  error: new (...args: never[]) => Error,
  fragment: string,
) {
  const before = {
    wal: await bench.hub.readWal(bench.id),
    state: await bench.hub.adapterState(bench.id),
    health: bench.hub.health(),
  };
  const posting = bench.hub.post(draft);
  await expect(posting).rejects.toThrow(error);
  await expect(posting).rejects.toThrow(fragment);
  const { hub, id } = bench;
  expect({
    wal: await hub.readWal(id),
    state: await hub.adapterState(id),
    health: { ...hub.health(), audit_log_bytes: before.health.audit_log_bytes },
  }).toEqual({ ...before, health: { ...before.health, store: expect.anything() } });
  expect(bench.context.channels.peek(id)?.head.position).toBe(before.wal.length);
}

describe("a refused post", () => {
  it("N-001 N-006 names a sender that is not, or no longer, registered", async () => {
    const bench = await openPair();
    const never = bench.draft({ sender_id: "nobody" });
    await expectRefused(bench, never, NotFoundError, "sender not registered: 'nobody'");
    await bench.hub.unregister(bench.b);
    const gone = bench.draft({ sender_id: bench.b });
    await expectRefused(bench, gone, NotFoundError, "sender not registered");
    const empty = bench.draft();
    const { sender_id: _none, ...unsigned } = empty;
    await expectRefused(bench, unsigned, NotFoundError, "sender not registered");
  });

  it("N-029 names a channel that does not exist", async () => {
    const bench = await openPair();
    await expectRefused(
      bench,
      bench.draft({ channel_id: "none" }),
      NotFoundError,
      "channel not found: 'none'",
    );
  });

  it("names the field of a wrong shape, its kind and the remedy", async () => {
    const bench = await openPair();
    const wrong: readonly [Partial<Record<keyof Envelope, unknown>>, string][] = [
      [{ event_type: "" }, "event_type"],
      [{ priority: "soon" }, "priority"],
      [{ depth: -1 }, "depth"],
      [{ audience: "b" }, "audience"],
      [{ event_data: { text: 1 } }, "event_data"],
      [{ event_data: "text" }, "event_data"],
      [{ event_data: null }, "event_data"],
      [{ idempotency_key: "k".repeat(257) }, "idempotency_key"],
      [{ sequence: 1 } as never, "sequence"],
    ];
    for (const [fields, fragment] of wrong) {
      const draft = bench.draft(fields as Partial<EnvelopeDraft>);
      await expectRefused(bench, draft, InvalidInputError, fragment);
    }
  });

  it("F-010 refuses a content with a key __proto__, a cycle, or too deep a nest", async () => {
    const bench = await openPair({}, "conversation");
    const polluted = JSON.parse('{"set":{"__proto__":{"evil":1}}}') as Record<string, unknown>;
    const set = { event_type: EV_CONTEXT_SET };
    await expectRefused(
      bench,
      bench.draft({ ...set, event_data: polluted }),
      InvalidInputError,
      "event_data",
    );
    const top = JSON.parse('{"__proto__":1}') as Record<string, unknown>;
    await expectRefused(
      bench,
      bench.draft({ ...set, event_data: top }),
      InvalidInputError,
      "Rename",
    );
    const cycle: Record<string, unknown> = { text: "x" };
    cycle["self"] = cycle;
    await expectRefused(bench, bench.draft({ event_data: cycle }), InvalidInputError, "no JSON");
    let deep: unknown = 1;
    for (let level = 0; level < 60; level += 1) deep = [deep];
    const nested = bench.draft({ event_data: { text: "x", deep } });
    await expectRefused(bench, nested, InvalidInputError, "59");
    expect(({} as Record<string, unknown>)["evil"]).toBeUndefined();
  });

  it("refuses what only the hub may write", async () => {
    const bench = await openPair();
    for (const event_type of [
      EV_CHANNEL_INVITE,
      EV_CHANNEL_OPENED,
      EV_CHANNEL_CLOSED,
      EV_EXPECTATION_VIOLATED,
      "ag2.channel.renamed",
    ]) {
      const draft = bench.draft({ event_type, event_data: { channel_id: bench.id } });
      await expectRefused(bench, draft, ProtocolError, "emitted only by the hub");
    }
  });

  it("refuses a sender that takes no part, whatever the event", async () => {
    const bench = await openPair();
    const c = await bench.join("c");
    for (const event_type of [EV_TEXT, EV_CONTEXT_SET, "app.note", "ag2.task.progress"]) {
      const draft = bench.draft({ sender_id: c, event_type });
      await expectRefused(bench, draft, AccessDeniedError, "is not a participant of channel");
    }
  });

  it("N-039 N-047 F-004 names whose turn it is not, and the next good post has no hole before it", async () => {
    const consulting = await openPair({}, "consulting");
    await expectRefused(
      consulting,
      consulting.draft({ sender_id: consulting.b }),
      ProtocolError,
      "initiator",
    );
    const bench = await openBench();
    const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
    const { channel_id: id } = await bench.open("discussion", a, [b, c]);
    const { length } = await bench.hub.readWal(id);
    await expect(bench.say(id, b, "out of turn")).rejects.toThrow(ProtocolError);
    expect(await bench.hub.readWal(id)).toHaveLength(length);
    expect(await bench.texts(id)).not.toContain("out of turn");
    expect((await bench.say(id, a, "in turn")).position).toBe(length + 1);
  });

  it("F-004 leaves no trace of a full inbox, an access rule or a late check", async () => {
    const bench = await openBench();
    const a = await bench.join("a", { rule: { access: { outbound_to: ["b"] } } });
    const b = await bench.join("b", { rule: { limits: { inbox: { max_pending: 2 } } } });
    const c = await bench.join("c");
    const { channel_id: id } = await bench.open("discussion", c, [a, b], { ttl: 0 });
    const full = { ...bench, a, b, id, draft: () => ({}) as EnvelopeDraft };
    await bench.say(id, c, "one");
    const denied = {
      channel_id: id,
      sender_id: a,
      audience: [c],
      event_type: EV_TEXT,
      event_data: { text: "no" },
    };
    await expectRefused(full, denied, AccessDeniedError, "not permitted to send to");
    await bench.say(id, a, "two");
    const third = { ...denied, sender_id: b, audience: null };
    await bench.hub.post(third);
    const fourth = { ...denied, sender_id: c, audience: null };
    await expectRefused(full, fourth, InboxFullError, "inbox at capacity");
  });

  it("is refused as a whole when one of many inboxes is full", async () => {
    const bench = await openBench();
    const a = await bench.join("a");
    const full = await bench.join("full", { rule: { limits: { inbox: { max_pending: 1 } } } });
    const roomy = await bench.join("roomy");
    const note = (sender: string, audience: string[] | null) => ({
      channel_id: id,
      sender_id: sender,
      audience,
      event_type: "app.note",
      event_data: {},
    });
    const { channel_id: id } = await bench.open("discussion", a, [roomy, full]);
    await bench.hub.post(note(a, null));
    await expect(bench.hub.post(note(a, null))).rejects.toThrow(InboxFullError);
    await bench.hub.post(note(a, [roomy]));
    expect((await bench.events(id)).filter((type) => type === "app.note")).toHaveLength(2);
  });

  it("has a bound in bytes", async () => {
    const bench = await openPair({ limits: { maxEnvelopeBytes: 2_000 } });
    const fits = bench.draft({ event_data: { text: "ä".repeat(500) } });
    await bench.hub.post(fits);
    const large = bench.draft({ event_data: { text: "ä".repeat(1_000) } });
    await expectRefused(bench, large, TooLargeError, "maxEnvelopeBytes");
  });

  it("is told to come back while too much waits for the store", async () => {
    const bench = await openPair({ limits: { maxStagedEnvelopes: 2 } });
    const gate = bench.store.block("commit");
    const waiting = [bench.hub.post(bench.draft()), bench.hub.post(bench.draft())];
    const third = bench.hub.post(bench.draft());
    await expect(third).rejects.toThrow(UnavailableError);
    await expect(third).rejects.toThrow("maxStagedEnvelopes");
    gate.release();
    await Promise.all(waiting);
    await bench.hub.post(bench.draft());
  });

  it("is told to come back, and when, while too many bytes wait for the store", async () => {
    const bench = await openPair({ limits: { maxStagedBytes: 3_000 } });
    const gate = bench.store.block("commit");
    const large = bench.draft({ event_data: { text: "x".repeat(3_000) } });
    const waiting = bench.hub.post(large);
    const refused = bench.hub.post(bench.draft());
    await expect(refused).rejects.toThrow("maxStagedBytes");
    await expect(refused).rejects.toMatchObject({
      ...{ code: "unavailable", details: { retry_after_ms: 1_000 } },
    });
    gate.release();
    await waiting;
    bench.store.failNext("commit");
    await expect(bench.hub.post(large)).rejects.toMatchObject({ code: "store_failed" });
    await expect.poll(() => bench.hub.post(bench.draft())).toBeDefined();
  });

  it("changes nothing when the adapter or the arbiter throws, at whatever step", async () => {
    for (const method of ["prepareSend", "validateSend", "fold", "onAccepted"] as const) {
      const adapters = createDefaultAdapters().map((adapter) => {
        const inner = adapter[method]?.bind(adapter) as
          | ((...args: unknown[]) => unknown)
          | undefined;
        return {
          ...adapter,
          [method]: (...args: unknown[]) => {
            if (JSON.stringify(args).includes("explode")) throw new TypeError("boom");
            return inner?.(...args) ?? { event_data: (args[1] as Envelope).event_data, notes: [] };
          },
        } as ChannelAdapter;
      });
      const bench = await openPair({ adapters });
      const bad = bench.draft({ event_data: { text: "explode" }, idempotency_key: "k" });
      await expectRefused(bench, bad, Error, `failed in ${method}: boom`);
      const good = await bench.hub.post(bench.draft({ idempotency_key: "k" }));
      expect(good).toMatchObject({ position: 4, duplicate: false });
    }
    const arbiter = {
      ...createAllowAllArbiter(),
      authorizeSend: () => {
        throw new TypeError("boom");
      },
    };
    const bench = await openPair();
    bench.hub.setArbiter(arbiter);
    await expectRefused(bench, bench.draft(), AccessDeniedError, "authorizeSend failed");
  });

  it("is told to listeners without an id, and the text is not logged", async () => {
    const bench = await openBench();
    const heard: [string, string][] = [];
    bench.hub.addListener({
      onEnvelopeRejected: (envelope, error) => void heard.push([envelope.envelope_id, error.name]),
    });
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("consulting", a, [b]);
    await expect(bench.say(id, b, "secret words")).rejects.toThrow();
    bench.store.failNext("commit");
    await expect(bench.say(id, a, "secret words")).rejects.toThrow();
    expect(heard).toEqual([
      ["", "ProtocolError"],
      ["", "StoreError"],
    ]);
    expect(JSON.stringify(bench.logger.lines)).not.toContain("secret words");
  });
});

describe("an admitted post", () => {
  it("is stamped by the hub, whatever the sender says", async () => {
    const { hub, id, draft } = await openPair();
    const posted = await hub.post(draft({ envelope_id: "mine", created_at: "yesterday" }));
    const last = (await hub.readWal(id)).at(-1);
    expect(last).toMatchObject({
      envelope_id: posted.envelope_id,
      created_at: posted.created_at,
      event_data: { text: "hello" },
    });
    expect(posted.envelope_id).toMatch(/^[0-9a-f]{32}$/);
    expect(posted.created_at).toMatch(/^2026-01-01T00:00:00\.\d{6}\+00:00$/);
  });

  it("N-028 five at once get five ids and stand in the WAL once each, in order", async () => {
    const { say, texts, a, id } = await openPair();
    const words = ["1", "2", "3", "4", "5"];
    const posted = await Promise.all(words.map((word) => say(id, a, word)));
    expect(new Set(posted.map(({ envelope_id }) => envelope_id)).size).toBe(5);
    expect(await texts(id)).toEqual(words);
    expect(posted.map(({ position }) => position)).toEqual([4, 5, 6, 7, 8]);
  });

  it("N-033 skips an unknown id in the audience, and notes an agent that takes no part", async () => {
    const { hub, join, say, b, a, id } = await openPair();
    const outsider = await join("outsider");
    const plain = await say(id, a, "x", { audience: [b, "unknown"] });
    expect(plain.envelope_id).not.toBe("");
    expect(plain.notes).toEqual([]);
    const noted = await say(id, a, "y", { audience: [outsider, b, b] });
    expect(noted.notes).toEqual([
      `audience member '${outsider}' takes no part in this channel and was left out`,
    ]);
    const wal = await hub.readWal(id);
    expect(wal.slice(-2).map(({ audience }) => audience)).toEqual([[b], [b]]);
    const lines = hub.ledger(id, noted.envelope_id);
    expect(lines.map(({ recipient_id }) => recipient_id)).toEqual([b]);
  });

  it("goes to nobody with an empty audience, and never to its own sender", async () => {
    const { hub, say, a, b, id } = await openPair();
    const note = await say(id, a, "note", { audience: [] });
    expect(hub.ledger(id, note.envelope_id)).toEqual([]);
    const self = await say(id, a, "self", { audience: [a, b] });
    const lines = hub.ledger(id, self.envelope_id);
    expect(lines.map(({ recipient_id }) => recipient_id)).toEqual([b]);
  });

  it("is a copy: what its sender does with the draft later changes nothing", async () => {
    const { hub, draft, id } = await openPair();
    const event_data: Record<string, unknown> = { text: "hello", extra: { kept: [1] } };
    await hub.post(draft({ event_data }));
    (event_data["extra"] as Record<string, unknown>)["kept"] = [2];
    event_data["text"] = "changed";
    expect((await hub.readWal(id)).at(-1)?.event_data).toEqual({
      text: "hello",
      extra: { kept: [1] },
    });
  });

  it("is frozen for all who share it: recipients in this process, listeners, states", async () => {
    const { hub, draft } = await openPair();
    const heard: Envelope[] = [];
    hub.addListener({ onEnvelopePosted: (envelope) => void heard.push(envelope) });
    await hub.post(draft({ event_data: { text: "x", extra: { deep: [1] } } }));
    const [envelope] = heard;
    expect(Object.isFrozen(envelope)).toBe(true);
    expect(Object.isFrozen(envelope?.event_data["extra"])).toBe(true);
  });

  it("is folded as it will be replayed: what JSON cannot say is gone already", async () => {
    const folded: unknown[] = [];
    const adapters = createDefaultAdapters().map((adapter) => ({
      ...adapter,
      fold: (state: unknown, envelope: Envelope) => {
        folded.push(envelope.event_data);
        return adapter.fold(state, envelope);
      },
    }));
    const { hub, draft } = await openPair({ adapters });
    const when = new Date(0);
    await hub.post(draft({ event_data: { text: "x", none: undefined, nan: Number.NaN, when } }));
    expect(folded.at(-1)).toEqual({ text: "x", nan: null, when: when.toISOString() });
  });

  it("is at least as deep as what it answers", async () => {
    const { hub, say, a, b, id } = await openPair();
    const first = await say(id, a, "deep", { depth: 3 });
    const reply = await say(id, b, "shallow?", { causation_id: first.envelope_id, depth: 1 });
    const deeper = await say(id, a, "x", { causation_id: reply.envelope_id, depth: 4 });
    const wal = await hub.readWal(id);
    expect(wal.slice(-3).map(({ depth }) => depth)).toEqual([3, 3, 4]);
    const next = say(id, b, "y", { causation_id: deeper.envelope_id, depth: 6 });
    await expect(next).rejects.toThrow("delegation_depth");
  });
});
