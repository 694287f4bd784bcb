import { type Store, StoreError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import { collect } from "./dump-store.js";
import type { WithStore } from "./store-subject.js";

/** Every call of the port that may be made on a closed store. */
const CALLS: {
  readonly [M in Exclude<keyof Store, "durability" | "blocks" | "health" | "close">]: (
    store: Store,
  ) => Promise<unknown>;
} = {
  recover: (store) => store.recover(),
  commit: (store) => store.commit(batchOf({})),
  readWal: (store) => store.readWal("c"),
  readEnvelope: (store) => store.readEnvelope("e"),
  readLog: (store) => store.readLog(0),

  searchText: (store) => store.searchText({ text: "x" }),
  readChannel: (store) => store.readChannel("c"),
  listChannels: (store) => store.listChannels(),
  readHead: (store) => store.readHead("c"),
  readSnapshot: (store) => store.readSnapshot("c"),
  readRecord: (store) => store.readRecord("agent", "a"),
  listRecords: (store) => store.listRecords("agent"),
  readDeliveries: (store) => store.readDeliveries("a"),
  readAudit: (store) => store.readAudit(),
};

/** R4, R6 and R7: reads beside commits, a store that is hindered, and its end. */
export function describeClosing(withStore: WithStore): void {
  describe("reads beside commits", () => {
    it(
      "R4: see every resolved commit, never a part of one",
      withStore(async (store) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel()];
        await store.commit(batchOf({ channels: [one, two] }));
        for (let round = 1; round <= 20; round += 1) {
          const envelopes = [make.next(one.channel_id), make.next(two.channel_id)];
          const committing = store.commit(batchOf({ envelopes }));
          const log = await store.readLog(0);
          expect(log.length % 2).toBe(0);
          await committing;
          expect(await store.readLog(0)).toHaveLength(round * 2);
          expect((await store.readWal(one.channel_id, { last: 1 })).head).toBe(round);
          expect(await store.readEnvelope(envelopes[1]?.envelope_id ?? "")).toEqual(envelopes[1]);
        }
      }),
    );

    it(
      "R4: a read that is under way sees whole commits only",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        const reads: Promise<readonly unknown[]>[] = [];
        for (let round = 0; round < 10; round += 1) {
          reads.push(store.readLog(0));
          await store.commit(batchOf({ envelopes: make.take(channel.channel_id, 3) }));
        }
        const sizes = (await Promise.all(reads)).map((log) => log.length);
        expect(sizes.filter((size) => size % 3 !== 0)).toEqual([]);
      }),
    );
  });

  describe("a store that cannot write", () => {
    it("R7: refuses whole, says so in health, and goes on when the cause is gone", (context) =>
      withStore(async (store, subject) => {
        if (subject.obstruct === undefined) return context.skip("nothing outside can hinder it");
        const make = createChainMaker();
        const channel = make.channel();
        const first = make.take(channel.channel_id, 1);
        await store.commit(batchOf({ channels: [channel], envelopes: first }));
        const clear = subject.obstruct();
        for (let attempt = 0; attempt < 2; attempt += 1) {
          const mark = make.mark();
          const refused = store.commit(batchOf({ envelopes: make.take(channel.channel_id, 2) }));
          await expect(refused).rejects.toBeInstanceOf(StoreError);
          make.rewind(mark);
          expect(await store.readLog(0)).toEqual(first);
          expect(store.health()).toMatchObject({
            healthy: false,
            reason: expect.stringMatching(/./),
          });
        }
        clear();
        const envelopes = make.take(channel.channel_id, 2);
        await store.commit(batchOf({ envelopes }));
        expect(store.health()).toMatchObject({ healthy: true, reason: "" });
        const again = await subject.crash();
        expect(await again.readLog(0)).toEqual([...first, ...envelopes]);
      })());
  });

  describe("close", () => {
    it.each(Object.entries(CALLS))("R6: %s rejects afterwards", async (_name, call) =>
      withStore(async (store) => {
        await store.close();
        await expect(call(store)).rejects.toBeInstanceOf(StoreError);
      })(),
    );

    it(
      "R6: may be repeated, also at once, and health says why nothing works",
      withStore(async (store) => {
        await Promise.all([store.close(), store.close()]);
        await store.close();
        expect(store.health()).toMatchObject({
          healthy: false,
          reason: expect.stringContaining("closed"),
        });
      }),
    );

    it(
      "R6: writes the lazy part that waits",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        const id = channel.channel_id;
        const envelopes = make.take(id, 1);
        await store.commit(batchOf({ channels: [channel], envelopes }));
        const snapshot = { channel_id: id, ...make.head(id), state: "{}" };
        const settled = {
          agent_id: "alice",
          channel_id: id,
          cursor: envelopes[0]?.envelope_id ?? "",
          floor: 1,
          above: [],
          settled: false,
        };
        await store.commit(
          batchOf({
            lazy: {
              audit: [{ at: "2026", kind: "last words" }],
              deliveries: [settled],
              snapshots: [snapshot],
            },
          }),
        );
        await store.close();
        const again = await subject.reopen();
        expect(await again.readAudit()).toMatchObject([{ record: { kind: "last words" } }]);
        expect(await again.readDeliveries("alice", id)).toEqual([settled]);
        expect(await collect((await again.recover()).channels)).toMatchObject([
          { snapshot, tail: [] },
        ]);
      }),
    );
  });
}
