import { type Envelope, EV_TEXT, type Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";

type Bench = Awaited<ReturnType<typeof openConnectionBench>>;
type Joined = Awaited<ReturnType<Bench["join"]>>;

/** A and B in an active discussion, each on a bare link; invitations are accepted for them. */
async function discussion(store?: Store) {
  const bench = await openConnectionBench(store === undefined ? {} : { store });
  bench.acceptInvitations();
  const a = await bench.join("a", "ag2");
  const b = await bench.join("b", "ag2");
  const channel = await bench.open("discussion", a.id, b.id);
  await settle();
  const cursor = () => bench.hub.inboxCursor(b.id, channel);
  return { bench, a, b, channel, cursor };
}

const say = (bench: Bench, channel: string, sender: Joined) =>
  bench.hub.postEnvelope(textOf(channel, sender.id).envelope);
const progress = (bench: Bench, channel: string, sender: string, to: string, n = 1) =>
  bench.hub.postEnvelope({
    channel_id: channel,
    sender_id: sender,
    audience: [to],
    event_type: "ag2.task.progress",
    event_data: { n },
  });
const notifiedOf = (link: Pick<Joined, "peer">, type: string): Envelope[] =>
  link.peer.notifies.map(({ envelope }) => envelope).filter((e) => e.event_type === type);

describe("receipts over a connection", () => {
  it("N-159 the cursor never moves backwards", async () => {
    const { bench, a, b, channel, cursor } = await discussion();
    const earlier = b.peer.notifies[0]?.envelope as Envelope;
    expect(earlier.event_type).toMatch(/^ag2\.channel\./);
    await say(bench, channel, a);
    await settle();
    const text = notifiedOf(b, EV_TEXT)[0] as Envelope;
    b.ack(b.id, text);
    expect(cursor()).toBe(text.envelope_id);
    b.ack(b.id, earlier);
    expect(cursor()).toBe(text.envelope_id);
  });

  it("N-160 a nack leaves the cursor where it was", async () => {
    const { bench, a, b, channel, cursor } = await discussion();
    await say(bench, channel, a);
    await settle();
    const text = notifiedOf(b, EV_TEXT)[0] as Envelope;
    const before = cursor();
    const { envelope_id } = text;
    const receipt = { kind: "receipt", envelope_id, recipient_id: b.id, channel_id: channel };
    b.send({ ...receipt, status: "nack", reason: "busy" });
    expect(cursor()).toBe(before);
  });

  it("N-161 an ack without a channel id changes nothing", async () => {
    const { bench, a, b, channel, cursor } = await discussion();
    await say(bench, channel, a);
    await settle();
    const text = notifiedOf(b, EV_TEXT)[0] as Envelope;
    expect(cursor()).toBe("");
    b.send({ kind: "receipt", status: "ack", envelope_id: text.envelope_id, recipient_id: b.id });
    expect(cursor()).toBe("");
  });

  it("N-164 a hello with a position gets the welcome and then what lies above it", async () => {
    const { bench, a, b, channel } = await discussion();
    const seen = await say(bench, channel, a);
    await settle();
    expect(b.peer.notifiedIds).toContain(seen);
    b.drop();
    const missed = [
      await progress(bench, channel, a.id, b.id, 1),
      await progress(bench, channel, a.id, b.id, 2),
    ];
    const back = bench.connect({ profile: "ag2" });
    await back.hello("b", { since_envelope_id: seen });
    await settle();
    expect(back.peer.steps.map(({ kind }) => kind)).toEqual(["frame", "notify", "notify"]);
    expect(back.peer.frames[0]).toMatchObject({ kind: "welcome" });
    expect(back.peer.notifiedIds).toEqual(missed);
    expect(back.peer.notifies.map(({ recipient_id }) => recipient_id)).toEqual([b.id, b.id]);
  });

  it("N-165 an empty position gets only what is not acknowledged: here the welcome alone", async () => {
    const { bench, a, b, channel } = await discussion();
    await say(bench, channel, a);
    await settle();
    for (const { envelope } of b.peer.notifies) b.ack(b.id, envelope);
    b.drop();
    const back = bench.connect({ profile: "ag2" });
    await back.hello("b", { since_envelope_id: "" });
    await settle();
    expect(back.peer.steps).toHaveLength(1);
    expect(back.peer.frames[0]).toMatchObject({ kind: "welcome" });
  });

  it("N-166 a hello without a position gets the welcome alone", async () => {
    const { bench, a, b, channel } = await discussion();
    b.drop();
    await say(bench, channel, a);
    const back = bench.connect({ profile: "ag2" });
    await back.hello("b");
    await settle();
    expect(back.peer.steps).toHaveLength(1);
    expect(back.peer.frames[0]).toMatchObject({ kind: "welcome" });
  });

  it("N-167 a cursor is the same after the hub was closed and opened again", async () => {
    const store = createMemoryStore();
    const shared: Store = { ...store, close: async () => undefined };
    const { bench, a, b, channel, cursor } = await discussion(shared);
    await say(bench, channel, a);
    await settle();
    const text = notifiedOf(b, EV_TEXT)[0] as Envelope;
    b.ack(b.id, text);
    expect(cursor()).toBe(text.envelope_id);
    await bench.hub.close();
    const again = await openConnectionBench({ store: shared });
    expect(again.hub.inboxCursor(b.id, channel)).toBe(text.envelope_id);
  });

  it("several receipts may come in one frame, and each stands for itself", async () => {
    const { bench, a, channel } = await discussion();
    const b = bench.connect();
    await b.hello("b");
    const bId = (await bench.hub.getAgent("b")).agent_id ?? "";
    await say(bench, channel, a);
    await settle();
    const item = { recipient_id: bId, channel_id: channel, status: "ack", reason: "" };
    const known = b.peer.notifiedIds.map((envelope_id) => ({ ...item, envelope_id }));
    b.send({ kind: "receipts", items: [{ ...item, envelope_id: "none" }, ...known] });
    expect(bench.hub.inboxCursor(bId, channel)).toBe(b.peer.notifiedIds.at(-1));
  });
});
