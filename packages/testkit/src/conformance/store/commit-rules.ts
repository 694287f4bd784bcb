import { type StoredEnvelope, StoreError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import { dumpStore } from "./dump-store.js";
import type { WithStore } from "./store-subject.js";

/** How an envelope that would fit is bent so that it does not. */
const MISFITS: readonly (readonly [string, (fit: StoredEnvelope) => StoredEnvelope])[] = [
  ["a position twice", (fit) => ({ ...fit, position: fit.position - 1 })],
  ["a position too far", (fit) => ({ ...fit, position: fit.position + 1 })],
  ["a row twice", (fit) => ({ ...fit, row: fit.row - 1 })],
  ["a row too far", (fit) => ({ ...fit, row: fit.row + 1 })],
  ["a wrong previous row", (fit) => ({ ...fit, prev_row: fit.prev_row - 1 })],
  ["an id below the newest", (fit) => ({ ...fit, envelope_id: "0".repeat(32) })],
  ["a channel that was never written", (fit) => ({ ...fit, channel_id: "f".repeat(32) })],
  ["a hash that is none", (fit) => ({ ...fit, hash: "short" })],
  ["a digest that is none", (fit) => ({ ...fit, content_digest: "G".repeat(64) })],
];

/** R1 to R3: what a commit promises. */
export function describeCommit(withStore: WithStore): void {
  describe("commit", () => {
    it(
      "R1: keeps a batch over channels and kinds, in order, through a restart",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel({ members: ["bob", "carol"] })];
        const envelopes = [
          ...make.take(one.channel_id, 2),
          ...make.take(two.channel_id, 1),
          ...make.take(one.channel_id, 1),
        ];
        const agent = { kind: "agent", id: "alice", value: '{"name":"alice"}' } as const;
        await store.commit(batchOf({ channels: [one, two], envelopes, records: [agent] }));
        await store.close();
        const again = await subject.reopen();
        expect(await again.readLog(0)).toEqual(envelopes);
        expect(await again.listChannels()).toEqual([one, two]);
        expect(await again.listRecords("agent")).toEqual([agent]);
        expect(await again.readHead(one.channel_id)).toEqual(make.head(one.channel_id));
      }),
    );

    it(
      "R1: what was acknowledged survives a killed process",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        const acknowledged: StoredEnvelope[] = [];
        for (let batch = 0; batch < 5; batch += 1) {
          const envelopes = make.take(channel.channel_id, 3);
          await store.commit(batchOf({ envelopes }));
          acknowledged.push(...envelopes);
        }
        const again = await subject.crash();
        expect(await again.readLog(0)).toEqual(acknowledged);
        await again.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
        expect((await again.readWal(channel.channel_id)).head).toBe(16);
      }),
    );

    it(
      "R1: a batch that the caller changes afterwards changes nothing stored",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        const envelope = { ...make.next(channel.channel_id) };
        const original = { ...envelope };
        await store.commit(batchOf({ channels: [channel], envelopes: [envelope] }));
        const state = channel.state;
        envelope.body = "changed";
        channel.state = "closed";
        expect(await store.readLog(0)).toEqual([original]);
        const read = await store.readChannel(channel.channel_id);
        expect(read?.state).toBe(state);
        if (read !== null) read.state = "expired";
        expect((await store.readChannel(channel.channel_id))?.state).toBe(state);
      }),
    );

    it(
      "an empty batch is a commit like any other",
      withStore(async (store) => {
        await store.commit(batchOf({}));
        expect((await store.recover()).last_row).toBe(0);
        expect(store.health().healthy).toBe(true);
      }),
    );

    it.each(MISFITS)("R2 R3: refuses %s and writes no part of the batch", async (_name, bend) =>
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const [one, two, late] = [make.channel(), make.channel(), make.channel()];
        await store.commit(
          batchOf({
            channels: [one, two],
            envelopes: [...make.take(one.channel_id, 2), ...make.take(two.channel_id, 2)],
            records: [{ kind: "rule", id: "alice", value: "{}" }],
          }),
        );
        const before = await dumpStore(store);
        const mark = make.mark();
        const good = make.next(one.channel_id);
        const bad = bend(make.next(two.channel_id));
        const refused = store.commit(
          batchOf({
            channels: [late, { ...one, state: "closed" }],
            envelopes: [good, bad],
            records: [
              { kind: "rule", id: "alice", value: null },
              { kind: "rule", id: "bob", value: "{}" },
            ],
            lazy: { audit: [{ at: "2026", kind: "note" }] },
          }),
        );
        await expect(refused).rejects.toBeInstanceOf(StoreError);
        expect(await dumpStore(store)).toEqual(before);
        make.rewind(mark);
        const next = make.next(two.channel_id);
        await store.commit(batchOf({ envelopes: [next] }));
        const again = await subject.crash();
        expect(await again.readLog(0)).toEqual([...before.log, next]);
        expect(await again.listRecords("rule")).toEqual([
          { kind: "rule", id: "alice", value: "{}" },
        ]);
      })(),
    );

    it(
      "R3: a channel and its first envelopes may come in one batch, and only then",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        const mark = make.mark();
        const early = store.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
        await expect(early).rejects.toThrow(channel.channel_id);
        make.rewind(mark);
        const envelopes = make.take(channel.channel_id, 2);
        await store.commit(batchOf({ channels: [channel], envelopes }));
        expect((await store.readWal(channel.channel_id)).envelopes).toEqual(envelopes);
      }),
    );

    it(
      "keeps every text as it is",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel({ labels: { ключ: "値 🙂" } });
        const texts = [
          "",
          "a\u0000b",
          "🙂 é 字",
          '"quoted"\\',
          "line\nline\r",
          "x".repeat(100_000),
        ];
        const envelopes = texts.map((text) => make.next(channel.channel_id, { text }));
        const records = texts.map(
          (value, index) => ({ kind: "skill", id: `s${index}`, value }) as const,
        );
        await store.commit(batchOf({ channels: [channel], envelopes, records }));
        const again = await subject.crash();
        expect(await again.readLog(0)).toEqual(envelopes);
        expect(await again.listRecords("skill")).toEqual(records);
        expect(await again.readChannel(channel.channel_id)).toEqual(channel);
      }),
    );
  });
}
