import { EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";

/** A discussion in which b has to answer; its answer is on its way to the disk. */
async function answerUnderWay() {
  const store = faulty(createMemoryStore());
  const bench = await openConnectionBench({ store });
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  const channel = await bench.open("discussion", a.id, b.id);
  const trigger = await bench.hub.postEnvelope(textOf(channel, a.id).envelope);
  const gate = store.block("commit");
  const answer = b.request("post", textOf(channel, b.id, { causation_id: trigger }));
  await settle();
  const input = { channel_id: channel, agent_id: b.id, envelope_id: trigger, last: 1 };
  const preparing = b.request("prepare_turn", input);
  await settle();
  return { store, bench, channel, b, trigger, gate, answer, preparing };
}

describe("a turn that is prepared while its answer is on its way to the disk", () => {
  it("is owed when the answer does not get there", async () => {
    const { store, gate, answer, preparing, b, channel, trigger, bench } = await answerUnderWay();
    store.failNext("commit");
    gate.release();
    expect(await answer).toMatchObject({ ok: false, error_code: "store_failed" });
    expect(await preparing).toMatchObject({ ok: true, result: { answered: null, can_send: true } });
    await b.call("post", textOf(channel, b.id, { causation_id: trigger }));
    const wal = await bench.hub.readWal(channel);
    expect(wal.filter(({ event_type }) => event_type === EV_TEXT)).toHaveLength(2);
  });

  it("is owed when the answer came while its trigger was read, and does not get there", async () => {
    const store = faulty(createMemoryStore());
    const bench = await openConnectionBench({ store });
    bench.acceptInvitations();
    const a = await bench.join("a");
    const b = await bench.join("b");
    const channel = await bench.open("discussion", a.id, b.id);
    const trigger = await bench.hub.postEnvelope(textOf(channel, a.id).envelope);
    const [reads, commits] = [store.block("readEnvelope"), store.block("commit")];
    const input = { channel_id: channel, agent_id: b.id, envelope_id: trigger, last: 1 };
    const preparing = b.request("prepare_turn", input);
    await settle();
    const answer = b.request("post", textOf(channel, b.id, { causation_id: trigger }));
    await settle();
    store.failNext("commit");
    reads.release();
    await settle();
    commits.release();
    expect(await answer).toMatchObject({ ok: false, error_code: "store_failed" });
    expect(await preparing).toMatchObject({ ok: true, result: { answered: null, can_send: true } });
  });

  it("is answered when it does", async () => {
    const { gate, answer, preparing } = await answerUnderWay();
    gate.release();
    expect(await answer).toMatchObject({ ok: true });
    const { result } = await preparing;
    expect(result).toMatchObject({ can_send: false });
    expect((result as { answered: unknown }).answered).toMatch(/^[0-9a-f]{32}$/);
  });
});
