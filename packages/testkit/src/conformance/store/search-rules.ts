import { EV_PACKET, InvalidInputError, type Store, type TextSearch } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, type ChainFields, createChainMaker } from "../../fakes/stored-chain.js";
import type { WithStore } from "./store-subject.js";

/** Every hit of a search, page by page. */
async function findAll(store: Store, search: TextSearch): Promise<number[]> {
  const rows: number[] = [];
  let cursor: number | null = null;
  do {
    const key = search.order === "newest" ? "before" : "after";
    const from: TextSearch = cursor === null ? search : { ...search, [key]: cursor };
    const page = await store.searchText(from);
    rows.push(...page.envelopes.map(({ row }) => row));
    expect(page.envelopes.length).toBeLessThanOrEqual(search.limit ?? 1_000);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

const parts = (...texts: string[]) => texts.map((text) => ({ type: "text", text }));

/** What is said, and in rows 1 to 15 by whom; two channels in turn. */
const SAID: readonly ChainFields[] = [
  { text: "The quick brown fox" },
  { text: "a FOX again" },
  { text: "nothing of the kind" },
  { event_type: EV_PACKET, event_data: { body: "fox in a packet", routing: null } },
  { event_type: "x.note", event_data: { text: "a fox that nobody says" } },
  { event_data: { text: parts("first", "Füchse: FOX") } },
  { event_data: { text: "see the picture", parts: [...parts("of a fox"), { type: "image" }] } },
  { text: '100% "sure" AND NOT (maybe*) ^_\\ OR fo_x' },
  { text: "数据库里的狐狸在说话" },
  { text: "😀🦊😀 it's" },
  { text: "ΟΔΥΣΣΕΥΣ" },
  { text: "ab" },
  { text: "x".repeat(40_000).concat(" fox") },
  { text: "null\u0000inside fox" },
  { event_data: { text: 7 } },
];

const EXPECTED: readonly (readonly [string, readonly number[]])[] = [
  ["fox", [1, 2, 4, 6, 7, 13, 14]],
  ["FoX", [1, 2, 4, 6, 7, 13, 14]],
  ["quick brown", [1]],
  ["quick  brown", []],
  ["ick bro", [1]],
  ["of", [3, 7]],
  ["fa", []],
  ["AND NOT", [8]],
  ['"sure"', [8]],
  ["%", [8]],
  ["*", [8]],
  ["fo_x", [8]],
  ["\\ or", [8]],
  ["狐狸", [9]],
  ["狐狸在", [9]],
  ["🦊", [10]],
  ["😀🦊😀", [10]],
  ["\udd8a", [10]],
  ["it's", [10]],
  ["οδυσσευς", [11]],
  ["ΣΣΕΥΣ", [11]],
  ["ab", [12]],
  ["l\u0000in", [14]],
  ["xxxx fox", [13]],
  ["first\nfüchse", [6]],
  ["zzz", []],
];

/** R8: searching what was said. */
export function describeSearch(withStore: WithStore): void {
  const fill = async (store: Store) => {
    const make = createChainMaker();
    const [one, two] = [make.channel(), make.channel()];
    await store.commit(batchOf({ channels: [one, two] }));
    const envelopes = SAID.map((fields, index) =>
      make.next(index % 2 === 0 ? one.channel_id : two.channel_id, fields),
    );
    await store.commit(batchOf({ envelopes }));
    return { make, one, two, envelopes };
  };

  describe("searching what was said", () => {
    it.each(EXPECTED)("R8 finds %j in rows %j, before and after reopening", (text, rows) =>
      withStore(async (store, subject) => {
        const { one, two } = await fill(store);
        const ofOne = rows.filter((row) => row % 2 === 1);
        const check = async (opened: Store) => {
          expect(await findAll(opened, { text })).toEqual(rows);
          expect(await findAll(opened, { text, order: "newest" })).toEqual(rows.toReversed());
          expect(await findAll(opened, { text, channel_id: one.channel_id })).toEqual(ofOne);
          const ofTwo = rows.filter((row) => row % 2 === 0);
          expect(await findAll(opened, { text, channel_id: two.channel_id })).toEqual(ofTwo);
        };
        await check(store);
        await store.close();
        await check(await subject.reopen());
        await check(await subject.crash());
      })(),
    );

    it(
      "R8 gives envelopes as they are stored, within bounds, in pages and in either order",
      withStore(async (store) => {
        const { envelopes, one } = await fill(store);
        const at = (...rows: number[]) => rows.map((row) => envelopes[row - 1]);
        const search = async (asked: Omit<TextSearch, "text">) =>
          (await store.searchText({ text: "fox", ...asked })).envelopes;
        expect(await search({ limit: 2 })).toEqual(at(1, 2));
        expect(await search({ after: 2, before: 7 })).toEqual(at(4, 6));
        expect(await search({ order: "newest", limit: 2 })).toEqual(at(14, 13));
        expect(await search({ order: "newest", before: 13, after: 4 })).toEqual(at(7, 6));
        expect(await search({ channel_id: one.channel_id, after: 1 })).toEqual(at(7, 13));
        expect(await search({ channel_id: one.channel_id, before: 4 })).toEqual(at(1));
        expect(await search({ channel_id: one.channel_id, after: 1, before: 5 })).toEqual(at(7));
        expect(await search({ channel_id: one.channel_id, after: 8 })).toEqual([]);
        expect(await search({ channel_id: one.channel_id, before: 0 })).toEqual([]);
        expect(await search({ after: 14 })).toEqual([]);
        expect(await search({ before: 0 })).toEqual([]);
        expect(await search({ channel_id: "f".repeat(32) })).toEqual([]);
        for (const limit of [1, 2, 3]) {
          expect(await findAll(store, { text: "fox", limit })).toEqual([1, 2, 4, 6, 7, 13, 14]);
        }
      }),
    );

    it(
      "R8 sees every commit that came before it, and goes through more than one look can take",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(batchOf({ channels: [channel] }));
        const id = channel.channel_id;
        const rows: number[] = [];
        for (let block = 0; block < 5; block += 1) {
          const filling = make.take(id, 499);
          const needle = make.next(id, { text: `Needle ${block}` });
          rows.push(needle.row);
          await store.commit(batchOf({ envelopes: [...filling, needle] }));
          expect(await findAll(store, { text: "needle" })).toEqual(rows);
          expect(await findAll(store, { text: `E ${block}` })).toEqual([needle.row]);
          const newest: TextSearch = { text: "needle", channel_id: id, order: "newest" };
          expect(await findAll(store, newest)).toEqual(rows.toReversed());
        }
      }),
    );

    it(
      "R8 a channel that cannot be read hides nothing of the others",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const [bad, good] = [make.channel(), make.channel()];
        const envelopes = [1, 2, 3, 4].flatMap(() => [
          make.next(bad.channel_id, { text: "a fox" }),
          make.next(good.channel_id, { text: "a fox" }),
        ]);
        await store.commit(batchOf({ channels: [bad, good], envelopes }));
        await store.close();
        await subject.damage(bad.channel_id);
        const again = await subject.reopen();
        const ofGood = await findAll(again, { text: "fox", channel_id: good.channel_id });
        expect(ofGood).toEqual([2, 4, 6, 8]);
        expect(await findAll(again, { text: "fox" })).toEqual(expect.arrayContaining(ofGood));
      }),
    );

    it(
      "R8 what cannot be searched is refused by name",
      withStore(async (store) => {
        const refused = async (search: TextSearch, field: string) => {
          const asked = store.searchText(search);
          await expect(asked).rejects.toThrow(InvalidInputError);
          await expect(asked).rejects.toThrow(`field ${field}`);
        };
        await refused({ text: "" }, "text");
        await refused({ text: "x".repeat(1_001) }, "text");
        await refused({ text: "fox", after: -1 }, "after");
        await refused({ text: "fox", before: 1.5 }, "before");
        await refused({ text: "fox", limit: 0 }, "limit");
        await store.close();
        await expect(store.searchText({ text: "fox" })).rejects.toThrow("closed");
      }),
    );
  });
}
