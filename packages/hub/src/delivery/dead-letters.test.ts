import { EV_CHANNEL_CLOSED, NotFoundError, ProtocolError } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const LIMITS = { maxDeliveryAttempts: 1 };

/** Two agents in one channel; b is connected. */
function two(limits: Parameters<typeof createDeliveryBench>[0] = {}) {
  const told: string[] = [];
  const bench = createDeliveryBench({
    ...limits,
    limits: { ...LIMITS, ...limits.limits },
    listener: {
      onDeadLetter: (id) => void told.push(`dead ${id}`),
      onDeadLetterRetried: ({ envelope_id }) => void told.push(`retried ${envelope_id}`),
      onDeadLetterDropped: ({ envelope_id }, why) =>
        void told.push(`dropped ${envelope_id}: ${why}`),
    },
  });
  const [a, b] = [bench.register("a"), bench.register("b")];
  const list = () => bench.delivery.listDeadLetters({}).dead_letters;
  return { bench, a, b, channel: bench.open(a, b), told, list };
}

describe("dead letters", () => {
  it("are listed with what is known of them, by recipient, sender, channel and page", () => {
    const { bench, a, b, channel } = two();
    bench.connect(a, b);
    const ids = [1, 2, 3]
      .map(() => bench.post(channel, a))
      .map((envelope) => {
        bench.nack(b, envelope, "no use");
        return envelope.envelope_id;
      });
    const page = bench.delivery.listDeadLetters({ recipient_id: b, limit: 2 });
    expect(page.dead_letters.map(({ envelope_id }) => envelope_id)).toEqual(ids.slice(0, 2));
    expect(page.dead_letters[0]).toMatchObject({
      ...{ recipient_id: b, sender_id: a, channel_id: channel.id, position: 1, attempts: 1 },
      ...{ reason: "given up after 1: no use", state: "dead", retries: 0, expires_at: null },
    });
    const rest = bench.delivery.listDeadLetters({ recipient_id: b, limit: 2, after: page.next });
    expect(rest.dead_letters.map(({ envelope_id }) => envelope_id)).toEqual(ids.slice(2));
    expect(rest.next).toBeNull();
    const count = (filter: object) => bench.delivery.listDeadLetters(filter).dead_letters.length;
    expect([{ sender_id: a }, { sender_id: b }, { channel_id: "other" }].map(count)).toEqual([
      3, 0, 0,
    ]);
  });

  it.each([false, true])(
    "are outstanding again when retried, and gone when handled; restart %s",
    async (restarts) => {
      const { bench, a, b, channel, told, list } = two();
      bench.connect(b);
      const first = bench.post(channel, a);
      bench.nack(b, first);
      const second = bench.post(channel, a);
      bench.ack(b, second);
      if (restarts) await bench.restart();
      const { peer } = bench.connect(b);
      const letter = await bench.delivery.retryDeadLetter(b, first.envelope_id);
      expect(letter).toMatchObject({ state: "retrying", retries: 1 });
      await settle();
      expect(peer.notifies.map(({ envelope, attempt }) => [envelope.envelope_id, attempt])).toEqual(
        [[first.envelope_id, 1]],
      );
      expect(told).toEqual([`dead ${first.envelope_id}`, `retried ${first.envelope_id}`]);
      bench.ack(b, first);
      expect(list()).toEqual([]);
      expect(bench.records.get(`${b} ${channel.id}`)).toMatchObject({ floor: 2, above: [] });
      await bench.restart();
      expect(list()).toEqual([]);
      expect(bench.delivery.pending(b)).toBe(0);
    },
  );

  it("that were being retried are outstanding after a restart, of an ended channel too", async () => {
    const { bench, a, b, channel, list } = two();
    bench.connect(b);
    const text = bench.post(channel, a);
    bench.nack(b, text);
    const last = bench.post(channel, a, { event_type: EV_CHANNEL_CLOSED, event_data: {} });
    bench.ack(b, last);
    await bench.restart();
    await bench.delivery.retryDeadLetter(b, text.envelope_id);
    await bench.restart();
    expect(list()).toMatchObject([{ state: "retrying", retries: 1 }]);
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifiedIds).toEqual([text.envelope_id]);
    bench.ack(b, text);
    expect(list()).toEqual([]);
    expect(bench.records.get(`${b} ${channel.id}`)).toMatchObject({ floor: 2, settled: true });
  });

  it("are given up again with the count of retries, and can be dropped", async () => {
    const { bench, a, b, channel, told, list } = two();
    bench.connect(b);
    const text = bench.post(channel, a);
    bench.nack(b, text);
    await bench.delivery.retryDeadLetter(b, text.envelope_id);
    await settle();
    bench.nack(b, text, "still not");
    expect(list()).toMatchObject([
      { state: "dead", retries: 1, reason: "given up after 1: still not" },
    ]);
    await bench.delivery.dropDeadLetter(b, text.envelope_id);
    expect(list()).toEqual([]);
    expect(told.at(-1)).toBe(`dropped ${text.envelope_id}: dropped on request`);
    await bench.restart();
    expect(list()).toEqual([]);
    const gone = bench.delivery.retryDeadLetter(b, text.envelope_id);
    await expect(gone).rejects.toBeInstanceOf(NotFoundError);
    await expect(bench.delivery.dropDeadLetter(b, "x")).rejects.toBeInstanceOf(NotFoundError);
  });

  it("stay dead when the retry cannot be stored", async () => {
    const { bench, a, b, channel, list } = two();
    bench.connect(b);
    const text = bench.post(channel, a);
    bench.nack(b, text);
    bench.faults.failCommits = 1;
    await expect(bench.delivery.retryDeadLetter(b, text.envelope_id)).rejects.toThrow(
      "disk is full",
    );
    expect(list()).toMatchObject([{ state: "dead", retries: 0 }]);
    expect(bench.delivery.pending(b)).toBe(0);
  });

  it("whose time to live is over are told, marked as expired and cannot be retried", async () => {
    const { bench, a, b, channel, told } = two();
    const { peer } = bench.connect(b);
    const late = bench.post(channel, a, { ttl_seconds: 1 });
    await bench.clock.advanceAsync(1_000);
    bench.nack(b, late);
    expect(told).toEqual([`dead ${late.envelope_id}`]);
    expect(bench.delivery.ledger(channel.id, late.envelope_id)).toMatchObject([
      { state: "expired", reason: "its time to live is over" },
    ]);
    await expect(bench.delivery.retryDeadLetter(b, late.envelope_id)).rejects.toBeInstanceOf(
      ProtocolError,
    );
    expect(peer.notifies).toHaveLength(1);
    const never = bench.post(channel, a, { ttl_seconds: 0 });
    expect(peer.notifies).toHaveLength(1);
    expect(told.at(-1)).toBe(`dead ${never.envelope_id}`);
  });

  it("are bounded: one who has more than its share makes room for the others", () => {
    const { bench, a, b, channel, told, list } = two({ limits: { maxDeadLetters: 3 } });
    bench.connect(a, b);
    bench.nack(a, bench.post(channel, b));
    for (let n = 0; n < 5; n += 1) bench.nack(b, bench.post(channel, a));
    expect(
      list()
        .map(({ recipient_id }) => recipient_id)
        .sort(),
    ).toEqual([a, b, b]);
    expect(told.filter((line) => line.includes("maxDeadLetters"))).toHaveLength(3);
  });
});
