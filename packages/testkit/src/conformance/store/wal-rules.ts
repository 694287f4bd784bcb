import { InvalidInputError, type StoredEnvelope, type WalRange } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import type { WithStore } from "./store-subject.js";

/** Length of the WAL that ranges are read from; long enough for several index entries of any store. */
const LENGTH = 150;

const positions = (envelopes: readonly StoredEnvelope[]) =>
  envelopes.map((envelope) => envelope.position);
const span = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

const RANGES: readonly (readonly [WalRange, readonly number[], number | null])[] = [
  [{}, span(1, 150), null],
  [{ after: 0, limit: 10 }, span(1, 10), 10],
  [{ after: 10, limit: 10 }, span(11, 20), 20],
  [{ after: 140, limit: 10 }, span(141, 150), null],
  [{ after: 141, limit: 10 }, span(142, 150), null],
  [{ after: 150 }, [], null],
  [{ after: 1_000 }, [], null],
  [{ upTo: 3 }, span(1, 3), null],
  [{ upTo: 0 }, [], null],
  [{ upTo: 9_999, after: 148 }, [149, 150], null],
  [{ after: 60, upTo: 70 }, span(61, 70), null],
  [{ after: 60, upTo: 70, limit: 4 }, span(61, 64), 64],
  [{ after: 64, upTo: 64 }, [], null],
  [{ after: 63, upTo: 64 }, [64], null],
  [{ last: 20 }, span(131, 150), null],
  [{ last: 1 }, [150], null],
  [{ last: 0 }, [], null],
  [{ last: 5, limit: 2 }, span(146, 150), null],
  [{ last: 5, upTo: 100 }, span(96, 100), null],
  [{ last: 50, after: 120 }, span(121, 150), null],
  [{ last: 999 }, span(1, 150), null],
];

/** Reading the WAL of a channel, the whole log and single envelopes. */
export function describeWal(withStore: WithStore): void {
  describe("reading the WAL", () => {
    it.each(RANGES)("readWal with %j", async (range, expected, next) =>
      withStore(async (store) => {
        const make = createChainMaker();
        const [main, other] = [make.channel(), make.channel()];
        await store.commit(batchOf({ channels: [main, other] }));
        const wal: StoredEnvelope[] = [];
        // Interleaved, so that positions, rows and batches all differ.
        for (let position = 1; position <= LENGTH; position += 15) {
          const envelopes = make.take(main.channel_id, 15);
          wal.push(...envelopes);
          await store.commit(batchOf({ envelopes: [...envelopes, make.next(other.channel_id)] }));
        }
        const page = await store.readWal(main.channel_id, range);
        expect(positions(page.envelopes)).toEqual(expected);
        expect(page.envelopes).toEqual(expected.map((position) => wal[position - 1]));
        expect(page.next).toBe(next);
        expect(page.head).toBe(LENGTH);
      })(),
    );

    it(
      "pages hold at most 1,000, and `next` leads through all of them",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(
          batchOf({ channels: [channel], envelopes: make.take(channel.channel_id, 2_345) }),
        );
        const read = async (range: WalRange) => {
          const sizes: number[] = [];
          const seen: number[] = [];
          let after: number | null = range.after ?? 0;
          while (after !== null) {
            const page = await store.readWal(channel.channel_id, { ...range, after });
            sizes.push(page.envelopes.length);
            seen.push(...positions(page.envelopes));
            after = page.next;
          }
          return { sizes, seen };
        };
        expect(await read({})).toEqual({ sizes: [1_000, 1_000, 345], seen: span(1, 2_345) });
        expect((await read({ limit: 5_000 })).sizes).toEqual([1_000, 1_000, 345]);
        expect(await read({ last: 2_001, upTo: 2_300 })).toEqual({
          sizes: [1_000, 1_000, 1],
          seen: span(300, 2_300),
        });
        expect(await store.readLog(0, 5_000)).toHaveLength(1_000);
        expect(await store.readLog(0)).toHaveLength(1_000);
      }),
    );

    it(
      "an unknown and an empty channel have no envelopes",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        for (const id of [channel.channel_id, "f".repeat(32), ""]) {
          expect(await store.readWal(id)).toEqual({ envelopes: [], next: null, head: 0 });
          expect(await store.readWal(id, { last: 5 })).toMatchObject({ envelopes: [], next: null });
          expect(await store.readHead(id)).toEqual({ position: 0, row: 0, hash: "" });
          expect(await store.readSnapshot(id)).toBeNull();
        }
        expect(await store.readChannel("f".repeat(32))).toBeNull();
      }),
    );

    it(
      "readEnvelope finds each id and no other",
      withStore(async (store) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel()];
        expect(await store.readEnvelope("0".repeat(32))).toBeNull();
        const envelopes = span(1, 40).map((index) =>
          make.next(index % 3 === 0 ? two.channel_id : one.channel_id),
        );
        await store.commit(batchOf({ channels: [one, two], envelopes }));
        for (const envelope of envelopes) {
          expect(await store.readEnvelope(envelope.envelope_id)).toEqual(envelope);
          expect(await store.readEnvelope(`${envelope.envelope_id}0`)).toBeNull();
        }
        for (const id of ["", "0".repeat(32), "f".repeat(32)]) {
          expect(await store.readEnvelope(id)).toBeNull();
        }
      }),
    );

    it(
      "readLog gives the global order in pages",
      withStore(async (store) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel()];
        const envelopes = span(1, 25).map((index) =>
          make.next(index % 2 === 0 ? two.channel_id : one.channel_id),
        );
        await store.commit(batchOf({ channels: [one, two], envelopes }));
        expect(await store.readLog(0)).toEqual(envelopes);
        expect(await store.readLog(7, 5)).toEqual(envelopes.slice(7, 12));
        expect(await store.readLog(24)).toEqual(envelopes.slice(24));
        expect(await store.readLog(25)).toEqual([]);
        expect(await store.readLog(99)).toEqual([]);
      }),
    );

    it(
      "a bound that is no whole number of its range is refused by name",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        const id = channel.channel_id;
        const refused: [string, Promise<unknown>][] = [
          ["after", store.readWal(id, { after: -1 })],
          ["upTo", store.readWal(id, { upTo: 1.5 })],
          ["last", store.readWal(id, { last: Number.NaN })],
          ["limit", store.readWal(id, { limit: 0 })],
          ["after", store.readLog(-1)],
          ["limit", store.readLog(0, -5)],
          ["limit", store.listChannels({ limit: 0 })],
          ["limit", store.listRecords("agent", "", 0.5)],
          ["after", store.readAudit({ after: -1 })],
          ["limit", store.readAudit({ limit: 0 })],
        ];
        for (const [field, read] of refused) {
          const error = await read.then(
            () => null,
            (reason: unknown) => reason,
          );
          expect(error).toBeInstanceOf(InvalidInputError);
          expect(error).toMatchObject({ details: { field } });
        }
      }),
    );
  });
}
