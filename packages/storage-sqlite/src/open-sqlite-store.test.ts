import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { InvalidInputError, StoreError } from "@colloquy/protocol";
import { batchOf, createChainMaker, makeTempFolder } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.js";
import { APPLICATION_ID } from "./schema/migrations.js";

/** A closed store with 200 envelopes. */
async function fillStore(path: string): Promise<void> {
  const make = createChainMaker();
  const channel = make.channel();
  const store = await openSqliteStore({ path });
  await store.commit(
    batchOf({ channels: [channel], envelopes: make.take(channel.channel_id, 200) }),
  );
  await store.close();
}

/** The refusal of an opening. */
async function refusal(options: Parameters<typeof openSqliteStore>[0]): Promise<StoreError> {
  const error = await openSqliteStore(options).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  return error as StoreError;
}

/** Runs as a user without rights, where the tests run as one with all of them. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("opening", () => {
  it("creates the file and marks it as Colloquy's", async () => {
    using folder = makeTempFolder();
    await fillStore(folder.at("hub.db"));
    const db = new Database(folder.at("hub.db"), { readonly: true });
    expect(db.pragma("application_id", { simple: true })).toBe(APPLICATION_ID);
    expect(db.pragma("user_version", { simple: true })).toBe(3);
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(db.pragma("page_size", { simple: true })).toBe(4_096);
    db.close();
  });

  it("takes an empty file and a database without tables for a new store", async () => {
    using folder = makeTempFolder();
    writeFileSync(folder.at("empty.db"), "");
    await fillStore(folder.at("empty.db"));
    const bare = new Database(folder.at("bare.db"));
    bare.exec("CREATE TABLE t (x); DROP TABLE t");
    bare.close();
    await fillStore(folder.at("bare.db"));
    const store = await openSqliteStore({ path: folder.at("bare.db") });
    expect(await store.readLog(0)).toHaveLength(200);
    await store.close();
  });

  it("refuses a database of another program and leaves it as it was", async () => {
    using folder = makeTempFolder();
    const path = folder.at("shop.db");
    const db = new Database(path);
    db.exec("CREATE TABLE orders (id)");
    db.close();
    const before = readFileSync(path);
    const error = await refusal({ path });
    expect(error.message).toContain("another program");
    expect(error.message).toContain("a file of its own");
    expect(error.details).toMatchObject({ reason: "foreign" });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(() => readFileSync(`${path}-lock`)).toThrow("ENOENT");
  });

  it("refuses a store of a newer schema version and says what to do", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await fillStore(path);
    const db = new Database(path);
    db.pragma("user_version = 99");
    db.close();
    for (const readonly of [false, true]) {
      const error = await refusal({ path, readonly });
      expect(error.message).toMatch(/version 99.*newer.*run a newer Colloquy/);
      expect(error.details).toMatchObject({ reason: "newer", version: 99, known: 3 });
    }
  });

  it("refuses a file that is no database", async () => {
    using folder = makeTempFolder();
    const path = folder.at("notes.txt");
    writeFileSync(path, "Dear diary,\n".repeat(500));
    const error = await refusal({ path });
    expect(error.message).toContain(path);
    expect(error.message).toContain("no SQLite database");
    expect(readFileSync(path, "utf8")).toContain("Dear diary");
  });

  it("refuses a file that was cut short", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await fillStore(path);
    truncateSync(path, 4_096 * 3);
    const error = await refusal({ path });
    expect(error.message).toMatch(/damaged or cut short.*backup/);
    expect(error.details).toMatchObject({ sqlite_code: "SQLITE_CORRUPT" });
  });

  it("refuses a store whose tables are gone", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await fillStore(path);
    const db = new Database(path);
    db.exec("DROP VIEW wal; DROP TABLE anchor");
    db.close();
    expect((await refusal({ path })).message).toContain("no such table: anchor");
  });

  it("refuses a folder, a missing folder and a path through a file", async () => {
    using folder = makeTempFolder();
    mkdirSync(folder.at("hub.db"));
    expect((await refusal({ path: folder.at("hub.db") })).message).toContain("it is a folder");
    const missing = await refusal({ path: folder.at("no", "such", "hub.db") });
    expect(missing.message).toContain(folder.at("no", "such"));
    expect(missing.message).toContain("create the folder first");
    writeFileSync(folder.at("file"), "x");
    const through = await refusal({ path: folder.at("file", "hub.db") });
    expect(through.message).toContain("folder");
  });

  it("refuses a place that may not be written, and says so", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    chmodSync(folder.path, 0o555);
    const fresh = await asNobody(() => refusal({ path }));
    expect(fresh.message).toMatch(/cannot be opened.*folder.*written/);
    chmodSync(folder.path, 0o755);
    await fillStore(path);
    chmodSync(path, 0o444);
    chmodSync(`${path}-lock`, 0o444);
    chmodSync(folder.path, 0o555);
    const existing = await asNobody(() => refusal({ path }));
    expect(existing.message).toMatch(/check (the rights|that the folder exists and may be)/);
    chmodSync(folder.path, 0o755);
  });

  it("refuses a database that another connection keeps for itself, after waiting", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const other = new Database(path);
    other.pragma("journal_mode = DELETE");
    other.exec("CREATE TABLE t (x); BEGIN EXCLUSIVE");
    const error = await refusal({ path, busyTimeoutMs: 50 });
    expect(error.message).toMatch(/another process holds its lock/);
    expect(error.details).toMatchObject({ retryable: true });
    other.close();
  });

  it("names one file by one name, so that a link leads to the same lock", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path });
    symlinkSync(path, folder.at("link.db"));
    expect((await refusal({ path: folder.at("link.db") })).message).toContain(
      `process ${process.pid}`,
    );
    await store.close();
    const again = await openSqliteStore({ path: folder.at("link.db") });
    expect(again.path).toBe(store.path);
    await again.close();
  });

  it("a failed opening leaves the lock free", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await fillStore(path);
    const db = new Database(path);
    const sql = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'anchor'").pluck().get();
    db.exec("DROP TABLE anchor");
    db.close();
    await refusal({ path });
    const repair = new Database(path);
    repair.exec(String(sql));
    repair.close();
    const store = await openSqliteStore({ path });
    expect(await store.readLog(0)).toHaveLength(200);
    await store.close();
  });

  it.each([
    [{ path: "" }, "path"],
    [{ path: ":memory:" }, "path"],
    [{ path: "file:hub.db?mode=memory" }, "path"],
    [{ path: "x.db", busyTimeoutMs: -1 }, "busyTimeoutMs"],
    [{ path: "x.db", lazyDelayMs: 0.5 }, "lazyDelayMs"],
    [{ path: "x.db", anchorEvery: 0 }, "anchorEvery"],
    [{ path: "x.db", walAlertBytes: Number.NaN }, "walAlertBytes"],
    [{ path: "x.db", durability: "maybe" as "os" }, "durability"],
  ])("refuses the options %j by name", async (options, field) => {
    const error = await openSqliteStore(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ details: { field } });
  });
});

describe("opening for reading only", () => {
  it("needs a store that is there", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    expect((await refusal({ path, readonly: true })).message).toContain("no such file");
    writeFileSync(path, "");
    expect((await refusal({ path, readonly: true })).message).toContain("no store yet");
  });

  it("reads beside the owner, sees its commits and writes nothing", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const owner = await openSqliteStore({ path });
    const reader = await openSqliteStore({ path, readonly: true });
    const make = createChainMaker();
    const channel = make.channel();
    await owner.commit(batchOf({ channels: [channel] }));
    for (let round = 1; round <= 5; round += 1) {
      const envelopes = make.take(channel.channel_id, 40);
      await owner.commit(batchOf({ envelopes }));
      expect((await reader.readWal(channel.channel_id, { last: 40 })).envelopes).toEqual(envelopes);
      expect(await reader.readHead(channel.channel_id)).toEqual(make.head(channel.channel_id));
      expect(await reader.readEnvelope(envelopes[7]?.envelope_id ?? "")).toEqual(envelopes[7]);
      expect((await reader.recover()).last_row).toBe(round * 40);
    }
    await expect(reader.commit(batchOf({}))).rejects.toThrow("readonly: true");
    await reader.close();
    expect(await owner.readLog(0)).toHaveLength(200);
    await owner.close();
  });

  it("goes on when the owner has closed and another has taken over", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await fillStore(path);
    const reader = await openSqliteStore({ path, readonly: true });
    expect(await reader.readLog(0)).toHaveLength(200);
    const owner = await openSqliteStore({ path });
    const make = createChainMaker(1);
    const channel = make.channel({ channel_id: "f".repeat(32) });
    await owner.commit(batchOf({ channels: [channel] }));
    await owner.close();
    expect(await reader.readChannel(channel.channel_id)).toEqual(channel);
    await reader.close();
  });
});
