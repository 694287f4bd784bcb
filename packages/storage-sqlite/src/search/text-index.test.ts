import type { TextSearch } from "@colloquy/protocol";
import {
  batchOf,
  createChainMaker,
  createFakeClock,
  createRecordingLogger,
  makeTempFolder,
} from "@colloquy/testkit";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";
import type { SqliteStore } from "../sqlite-store.js";

async function hits(store: SqliteStore, search: TextSearch): Promise<string[]> {
  const found: string[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: Awaited<ReturnType<SqliteStore["searchText"]>> = await store.searchText({
      ...search,
      after,
    });
    found.push(...page.envelopes.map(({ channel_id, position }) => `${channel_id} ${position}`));
    after = page.next;
  }
  return found;
}

/** A store with a channel of so many texts, and what a look into its file tells of the index. */
async function openFilled(path: string, texts: readonly string[]) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const open = () => openSqliteStore({ path, clock, logger, durability: "os" });
  const store = await open();
  const make = createChainMaker();
  const channel = make.channel();
  await store.commit(batchOf({ channels: [channel] }));
  const say = (said: readonly string[]) =>
    store.commit(
      batchOf({ envelopes: said.map((text) => make.next(channel.channel_id, { text })) }),
    );
  await say(texts);
  const filledTo = () => {
    const db = new Database(path, { readonly: true });
    const row = db.prepare("SELECT value FROM mark WHERE name = 'text_to'").pluck().get();
    db.close();
    return row;
  };
  return { store, clock, logger, open, say, filledTo, id: channel.channel_id };
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `line ${n} says hello`);

describe("the index of what was said", () => {
  it("is filled behind a search that read much, slice by slice, and never inside a commit", async () => {
    using folder = makeTempFolder();
    const { store, clock, say, filledTo, id } = await openFilled(folder.at("hub.db"), many(600));
    expect(filledTo()).toBe(0);
    await store.searchText({ text: "line 3 says" });
    expect(filledTo()).toBe(0);
    await clock.advance(20);
    expect(filledTo()).toBe(256);
    await clock.advance(1_000);
    expect(filledTo()).toBe(600);
    await say(["a new line"]);
    await clock.advance(1_000);
    expect(filledTo()).toBe(600);
    expect(await hits(store, { text: "A NEW", channel_id: id })).toEqual([`${id} 601`]);
    await store.close();
  });

  it("a store that is searched little is never indexed", async () => {
    using folder = makeTempFolder();
    const { store, clock, filledTo } = await openFilled(folder.at("hub.db"), many(50));
    await store.searchText({ text: "line 3 says" });
    await clock.advance(5_000);
    expect(filledTo()).toBe(0);
    await store.close();
  });

  it("survives a restart, and is made anew when its form is another or it is ahead of the log", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const { store, clock, open, filledTo, id } = await openFilled(path, many(600));
    await store.searchText({ text: "line 3 says" });
    await clock.advance(1_000);
    await store.close();
    for (const [change, kept] of [
      [null, 600],
      ["UPDATE mark SET value = 99 WHERE name = 'text_form'", 0],
      ["UPDATE mark SET value = 9999 WHERE name = 'text_to'", 0],
    ] as const) {
      const db = new Database(path);
      if (change !== null) db.prepare(change).run();
      db.close();
      const again = await open();
      expect(filledTo()).toBe(kept);
      expect(await hits(again, { text: "line 599" })).toEqual([`${id} 600`]);
      await clock.advance(1_000);
      expect(filledTo()).toBe(600);
      expect(await hits(again, { text: "line 599" })).toEqual([`${id} 600`]);
      await again.close();
    }
  });

  it("a damaged index costs nothing but time: the log answers, and the index is made anew", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const { store, clock, logger, open, filledTo, id } = await openFilled(path, many(600));
    await store.searchText({ text: "line 3 says" });
    await clock.advance(1_000);
    await store.close();
    const db = new Database(path);
    db.unsafeMode(true);
    db.exec("UPDATE text_index_data SET block = x'00' WHERE id > 10; DELETE FROM text_index_idx");
    db.close();
    const again = await open();
    expect(await hits(again, { text: "line 599" })).toEqual([`${id} 600`]);
    expect(logger.at("warn").map(({ message }) => message)).toEqual([
      "the index of what was said is damaged: it is made anew",
    ]);
    await clock.advance(1_000);
    expect(filledTo()).toBe(600);
    expect(await hits(again, { text: "line 599" })).toEqual([`${id} 600`]);
    await again.close();
  });

  it("a backup has it, and a reader beside the owner searches with it and beyond it", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const { store, clock, say, id } = await openFilled(path, many(600));
    await store.searchText({ text: "line 3 says" });
    await clock.advance(1_000);
    await say(["line 600 is new"]);
    await store.backupTo(folder.at("copy.db"));
    for (const file of [path, folder.at("copy.db")]) {
      const reader = await openSqliteStore({ path: file, readonly: true, clock });
      expect(await hits(reader, { text: "line 600" })).toEqual([`${id} 601`]);
      expect(await hits(reader, { text: "Line 59" })).toHaveLength(11);
      await reader.close();
    }
    await store.close();
  });

  it("finds with the index exactly what is found without it", async () => {
    const letters = fc.constantFrom(
      "a",
      "b",
      "A",
      " ",
      "ß",
      "Σ",
      "ς",
      "İ",
      "🦊",
      "\ud83e",
      "\0",
      '"',
      "*",
      "狐",
      "é",
    );
    const text = fc.array(letters, { maxLength: 12 }).map((found) => found.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 30 }),
        fc.array(
          text.filter((found) => found !== ""),
          { minLength: 1, maxLength: 10 },
        ),
        async (said, wanted) => {
          using folder = makeTempFolder();
          const padded = [...many(300), ...said];
          const { store, clock, filledTo, id } = await openFilled(folder.at("hub.db"), padded);
          const before = await Promise.all(wanted.map((one) => hits(store, { text: one })));
          await store.searchText({ text: "no such words" });
          await clock.advance(1_000);
          expect(filledTo()).toBe(padded.length);
          const asked = wanted.map((one) => hits(store, { text: one, channel_id: id }));
          expect(await Promise.all(asked)).toEqual(before);
          await store.close();
        },
      ),
      { numRuns: 25 },
    );
  });
});
