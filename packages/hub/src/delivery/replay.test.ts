import { type Envelope, EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const idsOf = (envelopes: readonly Envelope[]) => envelopes.map((e) => e.envelope_id);

function two(options: Parameters<typeof createDeliveryBench>[0] = {}) {
  const bench = createDeliveryBench(options);
  const a = bench.register("a");
  const b = bench.register("b");
  return { bench, a, b, channel: bench.open(a, b) };
}

describe("replay", () => {
  it("sends nothing unless it is asked, and live traffic all the same", async () => {
    const { bench, a, b, channel } = two();
    bench.post(channel, a);
    const { peer } = bench.connect(b);
    await settle();
    expect(peer.notifies).toEqual([]);
    const live = bench.post(channel, a);
    expect(peer.notifiedIds).toEqual([live.envelope_id]);
  });

  it("F-061 catches up in order, with neither gap nor overlap at the seam", async () => {
    const { bench, a, b, channel } = two();
    const first = bench.connect(b);
    for (let n = 1; n <= 4; n += 1) bench.ack(b, bench.post(channel, a));
    bench.delivery.unbindAll(first.bound);
    for (const run of ["drops", "is not running"]) {
      if (run === "is not running") await bench.restart();
      const missed = [bench.post(channel, a), bench.post(channel, a), bench.post(channel, a)];
      const { peer, bound } = bench.connect(b);
      const caughtUp = bench.delivery.replay(b, "");
      const meanwhile = bench.post(channel, a);
      await caughtUp;
      const live = bench.post(channel, a);
      expect(peer.notifiedIds).toEqual(idsOf([...missed, meanwhile, live]));
      for (const envelope of [...missed, meanwhile, live]) bench.ack(b, envelope);
      bench.delivery.unbindAll(bound);
    }
  });

  it("F-061 keeps the seam when the catch-up has to look up where it starts", async () => {
    const { bench, a, b, channel } = two();
    const four = bench.post(channel, a);
    await bench.restart();
    const missed = [bench.post(channel, a), bench.post(channel, a)];
    const { peer } = bench.connect(b);
    const caughtUp = bench.delivery.replay(b, four.envelope_id);
    const meanwhile = bench.post(channel, a);
    expect(peer.notifies).toEqual([]);
    await caughtUp;
    expect(peer.notifiedIds).toEqual(idsOf([...missed, meanwhile]));
  });

  it("F-062 five drops in a row work like one", async () => {
    const { bench, a, b, channel } = two();
    const arrived: string[] = [];
    const posted: Envelope[] = [];
    for (let round = 1; round <= 5; round += 1) {
      const { peer, bound } = bench.connect(b);
      posted.push(bench.post(channel, a));
      for (const { envelope } of peer.notifies) {
        arrived.push(envelope.envelope_id);
        bench.ack(b, envelope);
      }
      bench.delivery.unbindAll(bound);
      posted.push(bench.post(channel, a));
      const back = bench.connect(b);
      await bench.delivery.replay(b, "");
      for (const { envelope } of back.peer.notifies) {
        arrived.push(envelope.envelope_id);
        bench.ack(b, envelope);
      }
      bench.delivery.unbindAll(back.bound);
    }
    expect(arrived).toEqual(idsOf(posted));
  });

  it("sends what lies above a position of the same channel", async () => {
    const { bench, a, b, channel } = two();
    const posted = Array.from({ length: 4 }, () => bench.post(channel, a));
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, posted[1]?.envelope_id ?? "");
    expect(peer.notifiedIds).toEqual(idsOf(posted.slice(2)));
    expect(bench.delivery.pending(b)).toBe(4);
  });

  it("F-063 a position that cannot be honoured gives everything that is not acknowledged", async () => {
    const { bench, a, b, channel } = two();
    const other = bench.open(a, b);
    const elsewhere = [bench.post(other, a), bench.post(other, a)] as const;
    const posted = Array.from({ length: 3 }, () => bench.post(channel, a));
    bench.ack(b, elsewhere[0]);
    bench.ack(b, elsewhere[1]);
    const positions = {
      "older than what is kept": "0".repeat(32),
      "never issued": "no such id",
      "beyond the newest entry": "f".repeat(32),
      "taken from another channel": elsewhere[1].envelope_id,
    };
    for (const since of Object.values(positions)) {
      const { peer } = bench.connect(b);
      await bench.delivery.replay(b, since);
      expect(peer.notifiedIds).toEqual(idsOf(posted));
      const live = bench.post(channel, a);
      expect(peer.notifiedIds).toEqual(idsOf([...posted, live]));
      bench.ack(b, live);
    }
  });

  it("F-064 each catches up on its own channels, and only on what it may see", async () => {
    const bench = createDeliveryBench();
    const [a, b, c] = [bench.register("a"), bench.register("b"), bench.register("c")];
    const [one, middle, three] = [bench.open(a, c), bench.open(a, b, c), bench.open(b, c)];
    const seen = bench.post(one, c);
    bench.ack(a, seen);
    const old = bench.post(middle, c);
    const all = [
      bench.post(one, c),
      bench.post(middle, c, { audience: [b] }),
      bench.post(middle, c),
      bench.post(three, c),
    ] as const;
    const forA = bench.connect(a);
    const forB = bench.connect(b);
    await bench.delivery.replay(a, seen.envelope_id);
    await bench.delivery.replay(b, "");
    expect([...forA.peer.notifiedIds].sort()).toEqual(idsOf([old, all[0], all[2]]));
    expect([...forB.peer.notifiedIds].sort()).toEqual(idsOf([old, all[1], all[2], all[3]]));
  });

  it("last words of a channel that has closed are there, also after a restart", async () => {
    const { bench, a, b, channel } = two();
    const close = { event_type: EV_CHANNEL_CLOSED, event_data: { reason: "done" }, audience: [a] };
    const answer = bench.post(channel, b);
    const closed = bench.post(channel, b, close);
    const expected = idsOf([answer, closed]);
    for (const restarts of [false, true]) {
      if (restarts) await bench.restart();
      await bench.clock.advanceAsync(3_600_000);
      const { peer, bound } = bench.connect(a);
      await bench.delivery.replay(a, "");
      expect(peer.notifiedIds).toEqual(expected);
      expect(peer.notifies.at(-1)?.envelope.event_data).toEqual({ reason: "done" });
      bench.delivery.unbindAll(bound);
    }
    const { peer } = bench.connect(a);
    await bench.delivery.replay(a, "");
    for (const { envelope } of peer.notifies) bench.ack(a, envelope);
    expect(bench.records.get(`${a} ${channel.id}`)).toMatchObject({ settled: true });
    await bench.restart();
    const after = bench.connect(a);
    await bench.delivery.replay(a, "");
    expect(after.peer.notifies).toEqual([]);
  });

  it("F-066 after a restart only what is new is handed out, at once", async () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    for (let n = 1; n <= 7; n += 1) bench.ack(b, bench.post(channel, a));
    await bench.restart();
    const { peer } = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(peer.notifies).toEqual([]);
    const eight = bench.post(channel, a);
    expect(peer.notifiedIds).toEqual([eight.envelope_id]);
    expect(peer.notifies[0]?.position).toBe(8);
  });

  it("F-067 what was written to a socket and not acknowledged is sent again", async () => {
    const { bench, a, b, channel } = two();
    const first = bench.connect(b);
    const text = bench.post(channel, a);
    expect(first.peer.notifiedIds).toEqual([text.envelope_id]);
    const stateOf = () => bench.delivery.ledger(channel.id, text.envelope_id)[0]?.state;
    expect(stateOf()).toBe("sent");
    bench.delivery.unbindAll(first.bound);
    expect(stateOf()).toBe("queued");
    expect(bench.delivery.pending(b)).toBe(1);
    const second = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(second.peer.notifiedIds).toEqual([text.envelope_id]);
    bench.ack(b, text);
    expect(stateOf()).toBe("acknowledged");
  });

  it("F-077 an older envelope is handled after the return, a newer finished one is not", async () => {
    const { bench, a, b, channel } = two();
    const { bound, peer } = bench.connect(b);
    const [five, six] = [bench.post(channel, a), bench.post(channel, a)];
    expect(peer.notifies).toHaveLength(2);
    bench.ack(b, six);
    bench.delivery.unbindAll(bound);
    const back = bench.connect(b);
    await bench.delivery.replay(b, "");
    expect(back.peer.notifiedIds).toEqual([five.envelope_id]);
  });

  it("a newer connection takes over and the older gets nothing more", async () => {
    const { bench, a, b, channel } = two();
    const older = bench.connect(a, b);
    const inFlight = bench.post(channel, a);
    const newer = bench.connect(b);
    expect(bench.delivery.agentsOf(older.bound)).toEqual([a]);
    await bench.delivery.replay(b, "");
    const live = bench.post(channel, a);
    expect(older.peer.notifiedIds).toEqual([inFlight.envelope_id]);
    expect(newer.peer.notifiedIds).toEqual(idsOf([inFlight, live]));
  });

  it("a rebind in the middle of a replay leaves the field to the newer one", async () => {
    const { bench, a, b, channel } = two();
    const mark = bench.post(channel, a);
    await bench.restart();
    const missed = bench.post(channel, a);
    const older = bench.connect(b);
    const overtaken = bench.delivery.replay(b, mark.envelope_id);
    const newer = bench.connect(b);
    await bench.delivery.replay(b, "");
    await overtaken;
    expect(older.peer.notifies).toEqual([]);
    expect(newer.peer.notifiedIds).toEqual(idsOf([mark, missed]));
  });

  it("a wider replay that comes while a page is read is sent in order of the WAL", async () => {
    const { bench, a, b, channel } = two();
    const missed = [1, 2, 3, 4, 5].map(() => bench.post(channel, a));
    const { store } = bench.context;
    const { readWal } = store;
    const held: (() => void)[] = [];
    store.readWal = async (...range) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return readWal(...range);
    };
    const { peer } = bench.connect(b);
    const narrow = bench.delivery.replay(b, missed[2]?.envelope_id ?? "");
    await settle();
    expect(held).toHaveLength(1);
    const wide = bench.delivery.replay(b, "");
    await settle();
    store.readWal = readWal;
    for (const release of held) release();
    await Promise.all([narrow, wide]);
    expect(peer.notifiedIds).toEqual(idsOf(missed));
  });

  it("a start reads little of a channel whose members are up to date", async () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    for (let n = 0; n < 500; n += 1) bench.ack(b, bench.post(channel, a));
    await bench.restart();
    expect(bench.delivery.oldestUnsettled(channel)).toBe(501);
  });

  it("a start after a crash reads no more than what no record has covered", () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    for (let n = 0; n < 500; n += 1) bench.ack(b, bench.post(channel, a));
    const floors = [...bench.records.values()].map(({ floor }) => floor);
    expect(Math.min(...floors)).toBe(448);
    expect(Math.max(...floors)).toBe(500);
  });

  it("an agent that leaves takes what it had outstanding with it", async () => {
    const { bench, a, b, channel } = two();
    bench.connect(b);
    bench.post(channel, a);
    bench.agents.remove(b);
    bench.delivery.drop(b);
    expect(bench.delivery.totals).toEqual({ pending: 0, deepest: null });
    expect(bench.delivery.connectionOf(b)).toBeNull();
    bench.post(channel, a);
    expect(bench.delivery.pending(b)).toBe(0);
  });

  it("an agent that leaves owes nothing to channels that ended in an earlier life", async () => {
    const { bench, a, b, channel } = two();
    bench.post(channel, a);
    const close = { event_type: EV_CHANNEL_CLOSED, event_data: { reason: "done" } };
    bench.post(channel, a, { ...close, audience: [a, b] });
    await bench.restart();
    const recordOf = () => bench.records.get(`${b} ${channel.id}`);
    expect(recordOf()).toMatchObject({ settled: false });
    bench.agents.remove(b);
    bench.delivery.drop(b);
    expect(recordOf()).toMatchObject({ settled: true });
  });
});
