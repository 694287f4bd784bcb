import { type DeadLetter, type Envelope, EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../../test/edge/connection-bench.js";

type Bench = Awaited<ReturnType<typeof openConnectionBench>>;
type Joined = Awaited<ReturnType<Bench["join"]>>;

const texts = (link: Pick<Joined, "peer">): Envelope[] =>
  link.peer.notifies.map(({ envelope }) => envelope).filter((e) => e.event_type === EV_TEXT);

/** Acknowledges all that a link has got, so that nothing but the letter is left. */
function ackAll(link: Joined): void {
  for (const { envelope } of link.peer.notifies) link.ack(link.id, envelope);
}

/** A says something to B and C; C cannot take it, so that it is given up for C. D is in no channel. */
async function deadLetter() {
  const store = createMemoryStore();
  const bench = await openConnectionBench({ store, limits: { maxDeliveryAttempts: 1 } });
  bench.acceptInvitations();
  const [a, b, c] = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
  const d = await bench.join("d");
  const channel_id = await bench.open("discussion", a.id, b.id, c.id);
  await settle();
  await a.call("post_envelope", textOf(channel_id, a.id));
  await until(() => texts(c).length === 1);
  const { envelope_id } = texts(c)[0] as Envelope;
  for (const { envelope } of c.peer.notifies) {
    if (envelope.envelope_id !== envelope_id) c.ack(c.id, envelope);
  }
  const receipt = { kind: "receipt", envelope_id, recipient_id: c.id, channel_id };
  c.send({ ...receipt, status: "nack", reason: "no" });
  await settle();
  return { store, bench, a, b, c, d, channel_id, envelope_id };
}

const list = (link: Joined, agent_id: string, as: "sender" | "recipient") =>
  link.request("list_dead_letters", { agent_id, as });
const lettersOf = (answer: { result: unknown }): readonly DeadLetter[] =>
  (answer.result as { dead_letters: DeadLetter[] }).dead_letters;

describe("who sees a ledger", () => {
  it("the sender sees all its lines, a recipient its own, others nothing", async () => {
    const { a, b, c, d, channel_id, envelope_id } = await deadLetter();
    ackAll(b);
    const where = { channel_id, envelope_id };
    const linesFor = async (link: Joined) =>
      ((await link.call("ledger", where)) as { lines: { recipient_id: string; state: string }[] })
        .lines;
    expect(await linesFor(a)).toHaveLength(2);
    expect(await linesFor(a)).toEqual(
      expect.arrayContaining([expect.objectContaining({ recipient_id: c.id, state: "dead" })]),
    );
    expect(await linesFor(b)).toMatchObject([{ recipient_id: b.id }]);
    expect(await linesFor(c)).toMatchObject([{ recipient_id: c.id, state: "dead" }]);
    expect(await d.request("ledger", where)).toMatchObject({ ok: false, error_code: "not_found" });
  });

  it("an envelope for others, and one of another channel, answer like one that is not there", async () => {
    const { a, b, c, channel_id, bench } = await deadLetter();
    const other = await bench.open("conversation", a.id, b.id);
    await b.call("post_envelope", textOf(channel_id, b.id, { audience: [a.id] }));
    await until(() => texts(a).length === 1);
    const secret = (texts(a)[0] as Envelope).envelope_id;
    const unknown = await c.request("ledger", { channel_id, envelope_id: "0".repeat(32) });
    const hidden = await c.request("ledger", { channel_id, envelope_id: secret });
    expect(hidden).toEqual({
      ...unknown,
      error_message: unknown.error_message.replace("0".repeat(32), secret),
    });
    expect(await a.request("ledger", { channel_id: other, envelope_id: secret })).toMatchObject({
      ok: false,
      error_code: "not_found",
    });
  });
});

describe("who sees and moves dead letters", () => {
  it("the sender and the recipient list it, each under its own name", async () => {
    const { a, b, c, envelope_id } = await deadLetter();
    const letter = { envelope_id, sender_id: a.id, recipient_id: c.id, state: "dead" };
    expect(lettersOf(await list(c, c.id, "recipient"))).toMatchObject([letter]);
    expect(lettersOf(await list(a, a.id, "sender"))).toMatchObject([letter]);
    for (const [link, as] of [
      [c, "sender"],
      [a, "recipient"],
      [b, "sender"],
      [b, "recipient"],
    ] as const) {
      expect(lettersOf(await list(link, link.id, as))).toEqual([]);
    }
    for (const as of ["sender", "recipient"] as const) {
      expect(await list(b, c.id, as)).toMatchObject({ ok: false, error_code: "access_denied" });
    }
  });

  it.each(["retry_dead_letter", "drop_dead_letter"])(
    "only the recipient may %s: its sender and others change nothing",
    async (op) => {
      const { a, b, c, d, envelope_id } = await deadLetter();
      const params = { recipient_id: c.id, envelope_id };
      for (const link of [a, b, d]) {
        expect(await link.request(op, params)).toMatchObject({
          ok: false,
          error_code: "access_denied",
        });
      }
      expect(lettersOf(await list(c, c.id, "recipient"))).toMatchObject([
        { state: "dead", retries: 0 },
      ]);
      expect(texts(c)).toHaveLength(1);
      expect(await c.request(op, params)).toMatchObject({ ok: true });
      await until(() => texts(c).length === (op === "retry_dead_letter" ? 2 : 1));
      expect(await a.request(op, { recipient_id: a.id, envelope_id })).toMatchObject({
        ok: false,
        error_code: "not_found",
      });
    },
  );

  it("retried and settled it is gone for both", async () => {
    const { a, c, channel_id, envelope_id } = await deadLetter();
    await c.call("retry_dead_letter", { recipient_id: c.id, envelope_id });
    expect(lettersOf(await list(a, a.id, "sender"))).toMatchObject([{ state: "retrying" }]);
    await until(() => texts(c).length === 2);
    c.ack(c.id, { channel_id, envelope_id });
    await settle();
    expect(lettersOf(await list(a, a.id, "sender"))).toEqual([]);
    expect(lettersOf(await list(c, c.id, "recipient"))).toEqual([]);
  });

  it("one that has left the channel may retry its letter, and gets nothing else of it, after a restart neither", async () => {
    const { store, bench, a, c, channel_id, envelope_id } = await deadLetter();
    await c.call("leave_channel", { channel_id, agent_id: c.id });
    await settle();
    ackAll(c);
    await settle();
    await bench.context.committer.flush();
    const [before] = await store.readDeliveries(c.id, channel_id);
    c.peer.clear();
    const seen = c.peer.notifies.length;

    await c.call("retry_dead_letter", { recipient_id: c.id, envelope_id });
    await until(() => c.peer.notifies.length === seen + 1);
    expect(c.peer.notifies.at(-1)?.envelope.envelope_id).toBe(envelope_id);
    c.ack(c.id, { channel_id, envelope_id });
    await settle();
    expect(lettersOf(await list(c, c.id, "recipient"))).toEqual([]);
    await a.call("post_envelope", textOf(channel_id, a.id, { event_type: "app.note" }));
    await settle();
    expect(c.peer.notifies).toHaveLength(seen + 1);
    await bench.context.committer.flush();
    const [after] = await store.readDeliveries(c.id, channel_id);
    expect(after).toMatchObject({ floor: before?.floor, settled: true });

    await bench.hub.close();
    const again = await openConnectionBench({ store: store.reopen() });
    const back = again.connect();
    expect(await back.hello("c", { since_envelope_id: "" })).toMatchObject({ kind: "welcome" });
    await settle();
    expect(back.peer.notifies).toEqual([]);
  });
});
