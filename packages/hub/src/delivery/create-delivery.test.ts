import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_OPENED,
} from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const idsOf = (envelopes: readonly Envelope[]) => envelopes.map((e) => e.envelope_id);
const PROGRESS = { event_type: "ag2.task.progress", event_data: {} };

/** Two agents in one channel. */
function two(options: Parameters<typeof createDeliveryBench>[0] = {}) {
  const bench = createDeliveryBench(options);
  const a = bench.register("a");
  const b = bench.register("b");
  return { bench, a, b, channel: bench.open(a, b) };
}

describe("release", () => {
  it("sends to those who are bound, with position and attempt, and keeps the rest", () => {
    const { bench, a, b, channel } = two();
    const { peer } = bench.connect(a);
    const first = bench.post(channel, b);
    const second = bench.post(channel, a);
    expect(peer.notifies).toEqual([
      {
        recipient_id: a,
        envelope: first,
        text: JSON.stringify(first),
        position: 1,
        attempt: 1,
      },
    ]);
    expect(bench.delivery.ledger(channel.id, second.envelope_id)).toMatchObject([
      { recipient_id: b, state: "queued", attempt: 0, reason: "" },
    ]);
    expect(bench.delivery.pending(b)).toBe(1);
    expect(bench.delivery.totals).toEqual({ pending: 2, deepest: 1 });
  });

  it("never delivers the answers to an invitation", () => {
    const { bench, a, b, channel } = two();
    const { peer } = bench.connect(b);
    bench.post(channel, a, { event_type: EV_CHANNEL_INVITE_ACK, event_data: {} });
    expect(peer.notifies).toEqual([]);
    expect(bench.delivery.oldestUnsettled(channel)).toBe(2);
  });

  it("counts substantive envelopes only", () => {
    const { bench, a, b, channel } = two();
    bench.post(channel, a, PROGRESS);
    expect(bench.delivery.pending(b)).toBe(0);
    bench.post(channel, a);
    expect(bench.delivery.pending(b)).toBe(1);
  });

  it("corks every touched connection once per batch and uncorks it whatever happens", () => {
    const { bench, a, b, channel } = two();
    const { peer } = bench.connect(b);
    expect(() =>
      bench.delivery.withCork(() => {
        bench.post(channel, a);
        bench.delivery.withCork(() => void bench.post(channel, a));
        throw new Error("a later listener");
      }),
    ).toThrow("a later listener");
    const kinds = peer.steps.map((step) => step.kind);
    expect(kinds).toEqual(["cork", "notify", "notify", "uncork"]);
  });

  it("skips whom the dispatch gate refuses, silently and for good", async () => {
    const bench = createDeliveryBench();
    const a = bench.register("a");
    const b = bench.register("b", { access: { inbound_from: ["boss"] } });
    const channel = bench.open(a, b);
    const { peer } = bench.connect(b);
    const refused = bench.post(channel, a);
    expect(peer.notifies).toEqual([]);
    expect(bench.delivery.pending(b)).toBe(0);
    const [line] = bench.delivery.ledger(channel.id, refused.envelope_id);
    expect(line).toMatchObject({ recipient_id: b, state: "refused" });
    await bench.restart();
    bench.register("b");
    const again = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(again.peer.notifies).toEqual([]);
  });

  it("gives what the hub says in an agent's name to it when the audience says so", () => {
    const bench = createDeliveryBench();
    const a = bench.register("a", { access: { inbound_from: [] } });
    const channel = bench.open(a);
    const { peer } = bench.connect(a);
    bench.post(channel, a, { audience: [a] });
    const opened = { event_type: EV_CHANNEL_OPENED, event_data: {}, audience: [a] };
    const own = bench.post(channel, a, opened);
    expect(peer.notifiedIds).toEqual([own.envelope_id]);
  });

  it("drops a connection that throws, and keeps what it was to get", async () => {
    const failed: string[] = [];
    const listener = {
      onDispatchFailed: (_envelope: Envelope, id: string, reason: string) =>
        void failed.push(`${id} ${reason}`),
    };
    const { bench, a, b, channel } = two({ listener });
    const { peer } = bench.connect(b);
    peer.failNotify = new Error("broken pipe");
    const lost = bench.post(channel, a);
    expect(failed).toEqual([`${b} broken pipe`]);
    expect(peer.closed?.code).toBe(1011);
    expect(bench.delivery.connectionOf(b)).toBeNull();
    const next = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(next.peer.notifiedIds).toEqual([lost.envelope_id]);
    expect(next.peer.notifies[0]?.attempt).toBe(2);
  });
});

describe("receipts", () => {
  it("N-160 a nack with a reason leaves the cursor, and the envelope comes again later", async () => {
    const { bench, a, b, channel } = two();
    const { peer } = bench.connect(b);
    const text = bench.post(channel, a);
    const before = bench.delivery.cursor(b, channel.id);
    expect(bench.nack(b, text, "later please")).toBe(true);
    expect(bench.delivery.cursor(b, channel.id)).toBe(before);
    expect(bench.delivery.ledger(channel.id, text.envelope_id)).toMatchObject([
      { recipient_id: b, state: "failed", attempt: 1, reason: "later please" },
    ]);
    await bench.clock.advanceAsync(999);
    expect(peer.notifies).toHaveLength(1);
    await bench.clock.advanceAsync(1);
    expect(peer.notifies.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it("doubles the delay up to its maximum, then gives the envelope up", async () => {
    const dead: string[] = [];
    const listener = {
      onDeadLetter: (...facts: string[]) => void dead.push(facts.join(" ")),
    };
    const limits = { redeliveryBaseMs: 100, redeliveryMaxMs: 150, maxDeliveryAttempts: 3 };
    const { bench, a, b, channel } = two({ limits, listener });
    const { peer } = bench.connect(b);
    const text = bench.post(channel, a);
    bench.nack(b, text);
    await bench.clock.advanceAsync(100);
    bench.nack(b, text);
    await bench.clock.advanceAsync(149);
    expect(peer.notifies).toHaveLength(2);
    await bench.clock.advanceAsync(1);
    expect(peer.notifies).toHaveLength(3);
    bench.nack(b, text, "no use");
    expect(dead).toEqual([`${text.envelope_id} ${channel.id} ${b} given up after 3: no use`]);
    expect(bench.delivery.pending(b)).toBe(0);
    expect(bench.delivery.cursor(b, channel.id)).toBe("");
    const [line] = bench.delivery.ledger(channel.id, text.envelope_id);
    expect(line).toMatchObject({ state: "dead", attempt: 3 });
    await bench.clock.advanceAsync(10_000);
    expect(peer.notifies).toHaveLength(3);
  });

  it("N-161 a receipt without a channel changes nothing", () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    const text = bench.post(channel, a);
    expect(bench.delivery.cursor(b, channel.id)).toBe("");
    const receipt = { recipient_id: b, channel_id: "", envelope_id: text.envelope_id };
    expect(bench.delivery.receipt({ ...receipt, status: "ack", reason: "" })).toBe(false);
    expect(bench.delivery.cursor(b, channel.id)).toBe("");
    expect(bench.delivery.pending(b)).toBe(1);
  });

  it("a receipt that names nothing of the recipient's changes nothing; a repeat is no stranger", () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    const text = bench.post(channel, a);
    const forged = [{ envelope_id: "f".repeat(32) }, { envelope_id: "" }, { envelope_id: {} }];
    for (const fields of forged) {
      const envelope = { ...text, ...fields } as Envelope;
      expect(bench.ack(b, envelope)).toBe(false);
    }
    expect(bench.ack(a, text)).toBe(false);
    expect(bench.delivery.pending(b)).toBe(1);
    expect(bench.ack(b, text)).toBe(true);
    expect(bench.ack(b, text)).toBe(true);
    expect(bench.delivery.pending(b)).toBe(0);
  });

  it("an early ack moves the cursor and settles nothing older", async () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    const five = bench.post(channel, a);
    const six = bench.post(channel, a);
    bench.ack(b, six);
    expect(bench.delivery.cursor(b, channel.id)).toBe(six.envelope_id);
    expect(bench.records.get(`${b} ${channel.id}`)).toMatchObject({ floor: 0, above: [2] });
    await bench.restart();
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifiedIds).toEqual([five.envelope_id]);
    bench.ack(b, five);
    expect(bench.delivery.cursor(b, channel.id)).toBe(six.envelope_id);
    expect(bench.records.get(`${b} ${channel.id}`)).toMatchObject({ floor: 2, above: [] });
  });

  it("shows an answer in the ledger of what it answers", () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    const question = bench.post(channel, a);
    bench.post(channel, b, { causation_id: question.envelope_id });
    const stateOf = () => bench.delivery.ledger(channel.id, question.envelope_id)[0]?.state;
    expect(stateOf()).toBe("answered");
    bench.ack(b, question);
    expect(stateOf()).toBe("answered");
  });
});

describe("bounds", () => {
  it("sends no more than the window, and the rest in order as receipts come", async () => {
    const { bench, a, b, channel } = two({ limits: { deliveryWindow: 2 } });
    const { peer } = bench.connect(b);
    const posted = Array.from({ length: 5 }, () => bench.post(channel, a));
    await settle();
    expect(peer.notifiedIds).toEqual(idsOf(posted.slice(0, 2)));
    for (const envelope of posted) {
      bench.ack(b, envelope);
      await settle();
    }
    expect(peer.notifiedIds).toEqual(idsOf(posted));
    expect(bench.delivery.pending(b)).toBe(0);
  });

  it("does not read a page for every single receipt, and lets nothing wait for ever", async () => {
    const { bench, a, b, channel } = two({ limits: { deliveryWindow: 100 } });
    const { peer } = bench.connect(b);
    const posted = Array.from({ length: 300 }, () => bench.post(channel, a));
    for (const envelope of posted.slice(0, 100)) {
      bench.ack(b, envelope);
      await settle();
    }
    expect(bench.faults.reads).toBeLessThanOrEqual(4);
    expect(peer.notifies.length).toBeGreaterThan(149);
    const sent = peer.notifies.length;
    bench.ack(b, posted[sent - 1] as Envelope);
    await bench.clock.advanceAsync(25);
    expect(peer.notifies.length).toBeGreaterThan(sent);
  });

  it("cuts a reader that is beyond its bound; what it has not read waits for its return", async () => {
    const { bench, a, b, channel } = two({ limits: { maxBufferedBytes: 1_000 } });
    const { peer } = bench.connect(b);
    const first = bench.post(channel, a);
    peer.bufferedBytes = 1_001;
    const second = bench.post(channel, a);
    expect(peer.closed).toEqual({ code: 4008, reason: "slow reader" });
    expect(bench.delivery.connectionOf(b)).toBeNull();
    const next = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(next.peer.notifiedIds).toEqual(idsOf([first, second]));
  });

  it("holds back from half of the bound on, and goes on when there is room", async () => {
    const { bench, a, b, channel } = two({ limits: { maxBufferedBytes: 1_000 } });
    const { peer } = bench.connect(b);
    peer.bufferedBytes = 501;
    const posted = [bench.post(channel, a), bench.post(channel, a)];
    await bench.clock.advanceAsync(100);
    expect(peer.notifies).toEqual([]);
    peer.bufferedBytes = 0;
    posted.push(bench.post(channel, a));
    await bench.clock.advanceAsync(100);
    expect(peer.notifiedIds).toEqual(idsOf(posted));
    expect(peer.closed).toBeNull();
  });

  it("asks a store that failed again", async () => {
    const { bench, a, b, channel } = two({ limits: { deliveryWindow: 1 } });
    const { peer } = bench.connect(b);
    const posted = [bench.post(channel, a), bench.post(channel, a)] as const;
    bench.faults.failReads = 1;
    bench.ack(b, posted[0]);
    await settle();
    expect(peer.notifies).toHaveLength(1);
    expect(bench.logger.at("warn")).toHaveLength(1);
    await bench.clock.advanceAsync(1_000);
    expect(peer.notifiedIds).toEqual(idsOf(posted));
  });

  it("gives up what the store does not hold any more", async () => {
    const { bench, a, b, channel } = two();
    bench.post(channel, a);
    const kept = bench.post(channel, a);
    channel.wal.shift();
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifiedIds).toEqual([kept.envelope_id]);
    expect(bench.delivery.pending(b)).toBe(1);
  });
});

describe("an inbox's rule", () => {
  it("warns once per crossing of the high-water mark", () => {
    const warned: unknown[] = [];
    const listener = { onInboxPressure: (...facts: unknown[]) => void warned.push(facts) };
    const bench = createDeliveryBench({ listener });
    const a = bench.register("a");
    const inbox = { max_pending: 10, overflow: "reject" as const, high_water: 3 };
    const b = bench.register("b", { limits: { inbox } });
    const channel = bench.open(a, b);
    const posted = Array.from({ length: 4 }, () => bench.post(channel, a));
    expect(warned).toEqual([[b, 3, 10]]);
    for (const envelope of posted.slice(0, 2)) bench.ack(b, envelope);
    bench.post(channel, a);
    expect(warned).toEqual([
      [b, 3, 10],
      [b, 3, 10],
    ]);
  });

  it.each([
    ["drop_oldest", [1, 2]],
    ["drop_newest", [0, 1]],
  ] as const)("%s gives one envelope up when the inbox is full", async (overflow, kept) => {
    const dead: string[] = [];
    const listener = { onDeadLetter: (envelopeId: string) => void dead.push(envelopeId) };
    const bench = createDeliveryBench({ listener });
    const a = bench.register("a");
    const b = bench.register("b", { limits: { inbox: { max_pending: 2, overflow } } });
    const channel = bench.open(a, b);
    const posted = Array.from({ length: 3 }, () => bench.post(channel, a));
    expect(bench.delivery.pending(b)).toBe(2);
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    const ids = idsOf(posted);
    expect(peer.notifiedIds).toEqual(kept.map((index) => ids[index]));
    expect(dead).toEqual(ids.filter((id) => !peer.notifiedIds.includes(id)));
  });
});

describe("an inbox that drops what it was sent", () => {
  it("goes on with what is queued", async () => {
    const bench = createDeliveryBench({ limits: { deliveryWindow: 1 } });
    const a = bench.register("a");
    const inbox = { max_pending: 2, overflow: "drop_oldest" as const };
    const b = bench.register("b", { limits: { inbox } });
    const channel = bench.open(a, b);
    const { peer } = bench.connect(b);
    const posted = Array.from({ length: 3 }, () => bench.post(channel, a));
    await settle();
    expect(peer.notifiedIds).toEqual(idsOf(posted.slice(0, 2)));
  });
});

describe("urgency and time to live", () => {
  it("sends urgent before normal before background across channels, each in its own order", async () => {
    const bench = createDeliveryBench();
    const [a, b] = [bench.register("a"), bench.register("b")];
    const [slow, usual, fast] = [bench.open(a, b), bench.open(a, b), bench.open(a, b)];
    const background = bench.post(slow, a, { priority: "background" });
    const normal = [bench.post(usual, a), bench.post(usual, a, { priority: "background" })];
    const urgent = bench.post(fast, a, { priority: "urgent" });
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifiedIds[0]).toBe(urgent.envelope_id);
    expect(peer.notifiedIds.at(-1)).toBe(background.envelope_id);
    expect(peer.notifiedIds.slice(1, 3)).toEqual(idsOf(normal));
  });

  it("does not deliver an envelope late", async () => {
    const dead: string[] = [];
    const listener = { onDeadLetter: (envelopeId: string) => void dead.push(envelopeId) };
    const { bench, a, b, channel } = two({ listener });
    const brief = bench.post(channel, a, { ttl_seconds: 5 });
    const lasting = bench.post(channel, a);
    await bench.clock.advanceAsync(5_000);
    expect(dead).toEqual([brief.envelope_id]);
    expect(bench.delivery.pending(b)).toBe(1);
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifiedIds).toEqual([lasting.envelope_id]);
  });

  it("keeps no room of an inbox for what outlived its time on a connection that dropped", async () => {
    const dead: string[] = [];
    const listener = { onDeadLetter: (envelopeId: string) => void dead.push(envelopeId) };
    const { bench, a, b, channel } = two({ listener });
    const { bound, peer } = bench.connect(b);
    const brief = bench.post(channel, a, { ttl_seconds: 5 });
    expect(peer.notifiedIds).toEqual([brief.envelope_id]);
    await bench.clock.advanceAsync(5_000);
    expect(bench.delivery.pending(b)).toBe(1);
    bench.delivery.unbindAll(bound);
    expect(dead).toEqual([brief.envelope_id]);
    expect(bench.delivery.pending(b)).toBe(0);
  });
});

describe("an ended channel", () => {
  it("is settled when its last words are, and forgotten then", async () => {
    const { bench, a, b, channel } = two();
    bench.connect(a, b);
    const closed = bench.post(channel, a, {
      event_type: EV_CHANNEL_CLOSED,
      event_data: {},
      audience: [a, b],
    });
    const recordOf = (id: string) => bench.records.get(`${id} ${channel.id}`);
    expect(recordOf(b)).toMatchObject({ settled: false });
    bench.ack(b, closed);
    expect(recordOf(b)).toMatchObject({ settled: true, floor: 1 });
    bench.delivery.forget(channel.id);
    expect(bench.delivery.cursor(b, channel.id)).toBe("");
    bench.ack(a, closed);
    expect(recordOf(a)).toMatchObject({ settled: true });
  });
});
