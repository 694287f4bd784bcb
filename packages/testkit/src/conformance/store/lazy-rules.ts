import type { AuditRecord, DeliveryRecord, Snapshot } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import { dumpStore } from "./dump-store.js";
import type { WithStore } from "./store-subject.js";

const delivery = (
  agent_id: string,
  channel_id: string,
  floor: number,
  rest: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({
  agent_id,
  channel_id,
  cursor: `e${floor}`,
  floor,
  above: [],
  settled: false,
  ...rest,
});

const note = (kind: string, number: number): AuditRecord => ({
  at: `2026-01-01T00:00:${`${number}`.padStart(2, "0")}.000000+00:00`,
  kind,
  number,
  nested: { list: [1, "two", null] },
});

/** Deliveries, audit and snapshots: read at once, kept by a close, never ahead of the durable part. */
export function describeLazy(withStore: WithStore): void {
  describe("deliveries", () => {
    it(
      "the newest per agent and channel counts and is read at once",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel()];
        const [c, d] = [one.channel_id, two.channel_id];
        await store.commit(batchOf({ channels: [one, two] }));
        const commit = (...deliveries: DeliveryRecord[]) =>
          store.commit(batchOf({ lazy: { deliveries } }));
        await commit(delivery("a", c, 1), delivery("b", c, 1), delivery("a", d, 1));
        await commit(delivery("a", c, 2), delivery("a", c, 3, { above: [5, 7] }));
        const newest = delivery("a", c, 3, { above: [5, 7] });
        expect(await store.readDeliveries("a", c)).toEqual([newest]);
        await store.close();
        const again = await subject.reopen();
        expect(await again.readDeliveries("a")).toEqual([newest, delivery("a", d, 1)]);
        expect(await again.readDeliveries("a", d)).toEqual([delivery("a", d, 1)]);
        expect(await again.readDeliveries("b")).toEqual([delivery("b", c, 1)]);
        expect(await again.readDeliveries("b", d)).toEqual([]);
        expect(await again.readDeliveries("nobody")).toEqual([]);
        expect((await again.recover()).deliveries).toEqual([
          newest,
          delivery("a", d, 1),
          delivery("b", c, 1),
        ]);
      }),
    );

    it(
      "that are settled are kept, and left out of the recovery",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        const open = delivery("a", channel.channel_id, 1);
        const settled = delivery("b", channel.channel_id, 4, { settled: true });
        await store.commit(
          batchOf({
            channels: [channel],
            lazy: { deliveries: [open, { ...settled, settled: false }, settled] },
          }),
        );
        expect((await store.recover()).deliveries).toEqual([open]);
        expect(await store.readDeliveries("b")).toEqual([settled]);
      }),
    );
  });

  describe("deliveries of the durable part", () => {
    it(
      "R1: survive a killed process, and take the place of what waits",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        const id = channel.channel_id;
        await store.commit(batchOf({ channels: [channel] }));
        await store.commit(batchOf({ lazy: { deliveries: [delivery("a", id, 1)] } }));
        const kept = [delivery("a", id, 2, { above: [4] }), delivery("b", id, 0)];
        await store.commit(batchOf({ envelopes: make.take(id, 4), deliveries: kept }));
        const again = await subject.crash();
        expect((await again.recover()).deliveries).toEqual(kept);
        expect(await again.readDeliveries("a", id)).toEqual([kept[0]]);
        await again.close();
        expect(await (await subject.reopen()).readDeliveries("a", id)).toEqual([kept[0]]);
      }),
    );

    it(
      "are older than a lazy one of the same batch, and are not written when it is refused",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        const id = channel.channel_id;
        await store.commit(
          batchOf({
            channels: [channel],
            deliveries: [delivery("a", id, 1)],
            lazy: { deliveries: [delivery("a", id, 2)] },
          }),
        );
        expect(await store.readDeliveries("a")).toEqual([delivery("a", id, 2)]);
        const [, second] = make.take(id, 2);
        if (second === undefined) throw new Error("no envelope was made");
        const refused = batchOf({ envelopes: [second], deliveries: [delivery("a", id, 3)] });
        await expect(store.commit(refused)).rejects.toThrow("does not continue the log");
        await store.close();
        expect(await (await subject.reopen()).readDeliveries("a")).toEqual([delivery("a", id, 2)]);
      }),
    );
  });

  describe("snapshots", () => {
    it(
      "the newest of a channel counts and shortens its recovered tail",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        const id = channel.channel_id;
        const snap = (state: string): Snapshot => ({ channel_id: id, ...make.head(id), state });
        const head = make.take(id, 3);
        await store.commit(
          batchOf({
            channels: [channel],
            envelopes: head,
            lazy: { snapshots: [snap('{"n":3}')] },
          }),
        );
        const rest = make.take(id, 2);
        await store.commit(batchOf({ envelopes: rest, lazy: { snapshots: [snap('{"n":5}')] } }));
        const newest = snap('{"n":5}');
        const tail = make.take(id, 2);
        await store.commit(batchOf({ envelopes: tail }));
        expect(await store.readSnapshot(id)).toEqual(newest);
        await store.close();
        const again = await subject.reopen();
        expect(await again.readSnapshot(id)).toEqual(newest);
        expect((await dumpStore(again)).recovered).toEqual([
          { channel, head: make.head(id), snapshot: newest, tail },
        ]);
      }),
    );
  });

  describe("lazy records", () => {
    const letter = (id: string, value: string | null) => ({
      kind: "dead_letter" as const,
      id,
      value,
    });

    it(
      "the newest of an id counts, is read at once and survives a close",
      withStore(async (store, subject) => {
        await store.commit(batchOf({ lazy: { records: [letter("a", "1"), letter("b", "1")] } }));
        await store.commit(batchOf({ lazy: { records: [letter("a", "2"), letter("b", null)] } }));
        expect(await store.readRecord("dead_letter", "a")).toBe("2");
        expect(await store.readRecord("dead_letter", "b")).toBeNull();
        await store.commit(batchOf({ lazy: { records: [letter("c", "3")] } }));
        await store.close();
        const again = await subject.reopen();
        expect(await again.listRecords("dead_letter")).toEqual([
          letter("a", "2"),
          letter("c", "3"),
        ]);
        expect((await again.recover()).records).toEqual([]);
      }),
    );

    it(
      "are older than what a later durable part says of the same id, and newer than that of their own",
      withStore(async (store, subject) => {
        await store.commit(batchOf({ lazy: { records: [letter("a", "lazy"), letter("b", "x")] } }));
        await store.commit(batchOf({ records: [letter("a", null)] }));
        await store.commit(
          batchOf({ records: [letter("b", "durable")], lazy: { records: [letter("b", "lazy")] } }),
        );
        expect(await store.readRecord("dead_letter", "a")).toBeNull();
        expect(await store.readRecord("dead_letter", "b")).toBe("lazy");
        await store.close();
        const again = await subject.reopen();
        expect(await again.listRecords("dead_letter")).toEqual([letter("b", "lazy")]);
      }),
    );
  });

  describe("the lazy part", () => {
    it(
      "R2: of a refused batch is not written",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        const [, second] = make.take(channel.channel_id, 2);
        if (second === undefined) throw new Error("no envelope was made");
        const refused = store.commit(
          batchOf({
            envelopes: [second],
            lazy: {
              audit: [note("x", 1)],
              deliveries: [delivery("a", channel.channel_id, 2)],
              snapshots: [
                { channel_id: channel.channel_id, ...make.head(channel.channel_id), state: "{}" },
              ],
            },
          }),
        );
        await expect(refused).rejects.toThrow("does not continue the log");
        await store.close();
        const again = await subject.reopen();
        expect(await again.readAudit()).toEqual([]);
        expect(await again.readDeliveries("a")).toEqual([]);
        expect(await again.readSnapshot(channel.channel_id)).toBeNull();
      }),
    );

    it(
      "R1: a killed process loses at most its newest end",
      withStore(async (store, subject) => {
        const written: AuditRecord[] = [];
        for (let number = 1; number <= 20; number += 1) {
          written.push(note("x", number));
          await store.commit(
            batchOf({
              records: number % 3 === 0 ? [{ kind: "meta", id: "n", value: `${number}` }] : [],
              lazy: { audit: [note("x", number)] },
            }),
          );
        }
        const again = await subject.crash();
        const left = (await again.readAudit()).map(({ record }) => record);
        expect(left).toEqual(written.slice(0, left.length));
        expect(await again.readRecord("meta", "n")).toBe("18");
      }),
    );
  });
}
