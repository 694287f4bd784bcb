import { type Envelope, EV_TEXT } from "@colloquy/protocol";
import { type FakePeer, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "./connection-bench.js";

type Link = ReturnType<Awaited<ReturnType<typeof openConnectionBench>>["connect"]>;

const PROGRESS = "ag2.task.progress";
const rounds = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Acknowledges what has come so far and is not acknowledged; `done` holds how far it has come. */
function ackAll(link: Pick<Link, "ack" | "peer">, done: Map<FakePeer, number>): void {
  const { notifies } = link.peer;
  for (const { recipient_id, envelope } of notifies.slice(done.get(link.peer) ?? 0)) {
    link.ack(recipient_id, envelope);
  }
  done.set(link.peer, notifies.length);
}

describe("inboxes", () => {
  it("F-015 a member that acknowledges and never posts does not stop its channel", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const a = await bench.join("a");
    const inbox = { max_pending: 100 };
    const b = await bench.join("b", "colloquy.v1", { limits: { inbox } });
    const channel = await bench.open("conversation", a.id, b.id);
    const done = new Map<FakePeer, number>();
    for (const n of rounds(300)) {
      expect(await a.request("post", textOf(channel, a.id))).toMatchObject({ ok: true });
      if (n % 30 === 29) {
        await settle();
        ackAll(b, done);
      }
    }
    const texts = b.peer.notifies.filter(({ envelope }) => envelope.event_type === EV_TEXT);
    expect(texts).toHaveLength(300);

    // One that acknowledges nothing fills up; the sender is told, and it can be emptied and seen.
    ackAll(b, done);
    for (const _ of rounds(100)) await a.call("post", textOf(channel, a.id));
    const refused = await a.request("post", textOf(channel, a.id));
    expect(refused).toMatchObject({ ok: false, error_code: "inbox_full" });
    expect(refused.error_message).toContain(b.id);
    expect(bench.hub.health()).toMatchObject({ max_pending_inbox_depth: 100 });
    await settle();
    ackAll(b, done);
    expect(bench.hub.health()).toMatchObject({ pending_inbox_total: 0 });
    expect(await a.request("post", textOf(channel, a.id))).toMatchObject({ ok: true });
  });

  it.each([
    ["drop_oldest", ["1", "2"]],
    ["drop_newest", ["0", "1"]],
  ] as const)(
    "%s lets everybody send and gives one up for the recipient",
    async (overflow, kept) => {
      const dead: string[] = [];
      const listener = { onDeadLetter: (...facts: string[]) => void dead.push(facts[3] ?? "") };
      const bench = await openConnectionBench({ listener });
      bench.acceptInvitations();
      const a = await bench.join("a");
      const inbox = { max_pending: 2, overflow };
      const b = await bench.join("b", "colloquy.v1", { limits: { inbox } });
      const channel = await bench.open("conversation", a.id, b.id);
      b.drop();
      for (const n of rounds(3)) {
        await a.call("post", textOf(channel, a.id, { event_data: { text: String(n) } }));
      }
      const back = bench.connect();
      await back.hello("b", { since_envelope_id: "" });
      await settle();
      const texts = back.peer.notifies.filter(({ envelope }) => envelope.event_type === EV_TEXT);
      expect(texts.map(({ envelope }) => envelope.event_data["text"])).toEqual(kept);
      expect(dead).toEqual([`inbox at capacity (2), overflow ${overflow}`]);
      expect(await bench.audited("dead_letter")).toHaveLength(1);
    },
  );

  it("N-143 the high-water mark is told once, when it is crossed", async () => {
    const warned: unknown[] = [];
    const listener = { onInboxPressure: (...facts: unknown[]) => void warned.push(facts) };
    const bench = await openConnectionBench({ listener });
    bench.acceptInvitations();
    const a = await bench.join("a");
    const inbox = { max_pending: 10, overflow: "reject" as const, high_water: 3 };
    const b = await bench.join("b", "colloquy.v1", { limits: { inbox } });
    const channel = await bench.open("conversation", a.id, b.id);
    for (const _ of rounds(4)) await a.call("post", textOf(channel, a.id));
    expect(warned).toEqual([[b.id, 3, 10]]);
  });
});

describe("audience and order", () => {
  it("F-031 one that is listed twice gets the envelope once, and nobody else gets it", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const human = bench.connect();
    const humanId = await human.register("human", { kind: "human" });
    const [b, c, d] = [await bench.join("b"), await bench.join("c"), await bench.join("d")];
    const channel = await bench.open("discussion", humanId, b.id, c.id, d.id);
    const id = await human.call(
      "post_envelope",
      textOf(channel, humanId, { audience: [b.id, b.id] }),
    );
    await settle();
    const times = (link: { peer: { notifiedIds: readonly string[] } }) =>
      link.peer.notifiedIds.filter((envelopeId) => envelopeId === id).length;
    expect([b, c, d, human].map(times)).toEqual([1, 0, 0, 0]);
  });

  it("F-034 every receiver is handed the channel in the order of its log, live and on catching up", async () => {
    const bench = await openConnectionBench({ limits: { deliveryWindow: 16 } });
    bench.acceptInvitations();
    const links = [];
    for (const n of rounds(10)) links.push(await bench.join(`agent-${n}`));
    const [first, ...others] = links.map(({ id }) => id);
    const channel = await bench.open("discussion", first ?? "", ...others);
    await settle();
    const done = new Map<FakePeer, number>();
    for (const link of links) ackAll(link, done);
    const sizes = [10, 100, 1_000, 10_000, 100_000, 500_000];
    const away = links[9];
    const back = bench.connect();
    for (const round of rounds(100)) {
      for (const [index, link] of links.entries()) {
        const size = sizes[(round * 7 + index * 3) % (round % 50 === 0 ? 6 : 4)] ?? 10;
        const event_data = { text: "x".repeat(size) };
        const params = textOf(channel, link.id, { event_type: PROGRESS, event_data });
        const sender = link === away && round >= 50 ? back : link;
        sender.send({ kind: "request", request_id: `${round}`, op: "post", params });
      }
      if (round === 49) {
        await settle();
        await back.hello("agent-9", { since_envelope_id: "" });
      }
      if (round % 3 === 0) await settle();
      // Handlers take their time: some acknowledge now, some later, some the newest first.
      for (const [index, link] of links.entries())
        if ((round + index) % 4 === 0) ackAll(link, done);
      ackAll(back, done);
    }
    const order = async () =>
      (await bench.hub.readWal(channel)).filter(({ event_type }) => event_type === PROGRESS);
    for (let quiet = 0; quiet < 60; quiet += 1) {
      await settle();
      for (const link of [...links, back]) ackAll(link, done);
    }
    const log = await order();
    expect(log).toHaveLength(1_000);
    const seen = (link: { readonly peer: FakePeer }): Envelope[] =>
      link.peer.notifies.map(({ envelope }) => envelope).filter((e) => e.event_type === PROGRESS);
    for (const link of links.slice(0, 9)) {
      const due = log.filter(({ sender_id }) => sender_id !== link.id);
      expect(seen(link).map((e) => e.envelope_id)).toEqual(due.map((e) => e.envelope_id));
    }
    const caughtUp = seen(back).map((e) => e.envelope_id);
    const positions = caughtUp.map((id) => log.findIndex((e) => e.envelope_id === id));
    expect(positions).toEqual([...positions].sort((x, y) => x - y));
    const all = new Set([...seen(links[9] ?? back).map((e) => e.envelope_id), ...caughtUp]);
    expect(all.size).toBe(log.filter(({ sender_id }) => sender_id !== away?.id).length);
  }, 60_000);
});
