import { createHash } from "node:crypto";
import {
  type AuditFilter,
  type AuditRecord,
  auditChainText,
  type Store,
  type StoredAuditRecord,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import type { WithStore } from "./store-subject.js";

const note = (kind: string, number: number, rest: object = {}): AuditRecord => ({
  at: `2026-01-01T00:00:${`${number}`.padStart(2, "0")}.000000+00:00`,
  kind,
  number,
  nested: { list: [1, "two", null] },
  ...rest,
});

const commit = (store: Store, ...audit: AuditRecord[]) =>
  store.commit(batchOf({ lazy: { audit } }));

/** Places of what a filter gives, in the order in which it gives them. */
const places = async (store: Store, filter: AuditFilter) =>
  (await store.readAudit(filter)).map(({ sequence }) => sequence);

/** Every hash is over the one before, the place and the record as JSON. */
function expectChained(records: readonly StoredAuditRecord[], start = ""): void {
  let prev = start;
  for (const { sequence, record, prev_hash, hash } of records) {
    expect(prev_hash).toBe(prev);
    const text = auditChainText(prev, sequence, JSON.stringify(record));
    expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
    prev = hash;
  }
}

/** The audit log: in order, chained, found by what it is about, pruned from its start only. */
export function describeAudit(withStore: WithStore): void {
  describe("audit", () => {
    it(
      "is numbered from 1 in the order of commits, chained, and kept by a close",
      withStore(async (store, subject) => {
        const records = [note("x", 1), note("y", 2), note("x", 3)];
        await commit(store, ...records.slice(0, 2));
        await commit(store, ...records.slice(2));
        const stored = await store.readAudit();
        expect(stored.map(({ record }) => record)).toEqual(records);
        expect(stored.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
        expectChained(stored);
        expect(store.health().audit_bytes).toBeGreaterThan(0);
        await store.close();
        const again = await subject.reopen();
        expect(await again.readAudit()).toEqual(stored);
        await commit(again, note("x", 6, { grüße: "日本", 7: -0 }));
        const longer = await again.readAudit();
        expect(longer.slice(0, 3)).toEqual(stored);
        expect(longer).toHaveLength(4);
        expectChained(longer);
      }),
    );

    it(
      "is found by kind, agent, channel, refusal, key and time, and by several at once",
      withStore(async (store) => {
        await commit(
          store,
          note("opened", 1, { channel_id: "c", creator_id: "a", participants: ["a", "b"] }),
          note("refused", 2, { channel_id: "c", agent_id: "a", refusal_id: "r1" }),
          note("refused", 3, { channel_id: "d", agent_id: "a", idempotency_key: "k" }),
          note("refused", 4, { channel_id: "c", agent_id: "b", idempotency_key: "k" }),
          note("ended", 5, { task_id: "t", owner_id: "b", violators: ["z"] }),
          note("refused", 6, { agents: ["b", "b"], recipient_id: 7 }),
        );
        expect(await places(store, { kinds: ["refused"] })).toEqual([2, 3, 4, 6]);
        expect(await places(store, { kinds: ["ended", "opened", "ended"] })).toEqual([1, 5]);
        expect(await places(store, { kinds: [] })).toEqual([]);
        expect(await places(store, { kinds: ["none"] })).toEqual([]);
        expect(await places(store, { agent_id: "b" })).toEqual([1, 4, 5, 6]);
        expect(await places(store, { agent_id: "z" })).toEqual([5]);
        expect(await places(store, { channel_id: "c" })).toEqual([1, 2, 4]);
        expect(await places(store, { refusal_id: "r1" })).toEqual([2]);
        expect(await places(store, { agent_id: "a", idempotency_key: "k" })).toEqual([3]);
        const all = { agent_id: "a", channel_id: "c", kinds: ["refused", "opened"] };
        expect(await places(store, all)).toEqual([1, 2]);
        const { at } = note("", 3);
        expect(await places(store, { from: at, to: note("", 5).at })).toEqual([3, 4]);
        expect(await places(store, { from: at, kinds: ["refused"] })).toEqual([3, 4, 6]);
        expect(await places(store, { to: at, channel_id: "c" })).toEqual([1, 2]);
      }),
    );

    it(
      "comes in pages of at most 1,000, from either end",
      withStore(async (store) => {
        const audit = Array.from({ length: 1_005 }, (_, n) => note(n % 2 ? "x" : "y", 1));
        await commit(store, ...audit);
        const first = await store.readAudit();
        expect(first).toHaveLength(1_000);
        expect(await store.readAudit({ after: first.at(-1)?.sequence ?? 0 })).toHaveLength(5);
        expect(await places(store, { order: "newest", limit: 3 })).toEqual([1_005, 1_004, 1_003]);
        const down = { order: "newest", limit: 2, before: 4 } as const;
        expect(await places(store, down)).toEqual([3, 2]);
        expect(await places(store, { ...down, before: 2 })).toEqual([1]);
        expect(await places(store, { ...down, before: 1 })).toEqual([]);
        expect(await places(store, { after: 2, before: 5 })).toEqual([3, 4]);
        const kinds = ["x", "y"];
        expect(await places(store, { kinds, order: "newest", limit: 3 })).toEqual([
          1_005, 1_004, 1_003,
        ]);
        expect(await places(store, { kinds, after: 1_003 })).toEqual([1_004, 1_005]);
      }),
    );

    it(
      "R1: of the durable part survives a killed process, behind what waited",
      withStore(async (store, subject) => {
        await commit(store, note("early", 1));
        const lazy = { audit: [note("late", 3)] };
        await store.commit(batchOf({ audit: [note("durable", 2)], lazy }));
        const again = await subject.crash();
        const left = await again.readAudit();
        expect(left.map(({ record }) => record.kind).slice(0, 2)).toEqual(["early", "durable"]);
        expectChained(left);
      }),
    );

    it(
      "R2: of a refused batch is not written, and leaves no gap in the chain",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel], audit: [note("one", 1)] }));
        const [, second] = make.take(channel.channel_id, 2);
        if (second === undefined) throw new Error("no envelope was made");
        const refused = batchOf({ envelopes: [second], audit: [note("never", 2)] });
        await expect(store.commit(refused)).rejects.toThrow("does not continue the log");
        await store.commit(batchOf({ audit: [note("two", 3)] }));
        const stored = await store.readAudit();
        expect(stored.map(({ record }) => record.kind)).toEqual(["one", "two"]);
        expectChained(stored);
      }),
    );

    it(
      "is pruned from its start, with what the same batch adds, and goes on in its chain",
      withStore(async (store, subject) => {
        const records = [1, 2, 3, 4].map((n) => note("x", n, { channel_id: "c" }));
        await commit(store, ...records);
        const before = await store.readAudit();
        const bytes = store.health().audit_bytes;
        const audit = [note("pruned", 5)];
        await store.commit(batchOf({ lazy: { audit, prune_audit_to: 3 } }));
        const left = await store.readAudit();
        expect(left.map(({ sequence }) => sequence)).toEqual([4, 5]);
        expect(left[0]).toEqual(before[3]);
        expectChained(left, before[2]?.hash);
        expect(await places(store, { channel_id: "c" })).toEqual([4]);
        expect(store.health().audit_bytes).toBeLessThan(bytes);
        await store.commit(batchOf({ lazy: { audit: [], prune_audit_to: 99 } }));
        expect(await places(store, {})).toEqual([5]);
        await store.close();
        const again = await subject.reopen();
        await commit(again, note("y", 6));
        const end = await again.readAudit();
        expect(end.map(({ sequence }) => sequence)).toEqual([5, 6]);
        expectChained(end, before[3]?.hash);
      }),
    );
  });
}
