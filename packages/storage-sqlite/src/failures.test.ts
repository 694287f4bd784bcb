import { StoreError, silentLogger } from "@colloquy/protocol";
import {
  batchOf,
  createChainMaker,
  createFakeClock,
  createRecordingLogger,
  makeTempFolder,
} from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { assembleStore } from "./assemble-store.js";
import { configure, connect } from "./file/connect.js";
import { createTransactor } from "./file/transactor.js";
import { openSqliteStore } from "./open-sqlite-store.js";
import { fillOptions, type SqliteStoreOptions } from "./options.js";
import { migrate } from "./schema/migrate.js";

/** A store and the very connection that it works on, so that the disk can be made to fail. */
function openBare(options: SqliteStoreOptions) {
  const filled = fillOptions(options);
  const db = connect(filled);
  configure(db, filled);
  const transact = createTransactor(db);
  migrate({ db, transact, path: filled.path, logger: silentLogger });
  const store = assembleStore({ db, transact, options: filled, repairs: [], lock: null });
  const pages = () => Number(db.pragma("page_count", { simple: true }));
  return {
    db,
    store,
    /** SQLite answers as it does when the disk is full. */
    fillDisk: () => db.pragma(`max_page_count = ${pages()}`),
    freeDisk: () => db.pragma("max_page_count = 1000000"),
  };
}

describe("a full disk", () => {
  it("F-080 refuses ten commits with a store error, keeps nothing of them, and takes the next ten", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const { store, fillDisk, freeDisk } = openBare({ path });
    const make = createChainMaker();
    const channel = make.channel();
    const next = () => [make.next(channel.channel_id, { text: "x".repeat(10_000) })];
    const kept = next();
    await store.commit(batchOf({ channels: [channel], envelopes: kept }));
    fillDisk();
    for (let count = 0; count < 10; count += 1) {
      const mark = make.mark();
      const records = [{ kind: "meta", id: "count", value: `${count}` }] as const;
      const refused = store.commit(batchOf({ envelopes: next(), records }));
      await expect(refused).rejects.toBeInstanceOf(StoreError);
      await expect(refused).rejects.toMatchObject({
        message: expect.stringContaining("no space left"),
        details: { sqlite_code: "SQLITE_FULL", retryable: true, outcome: "none" },
      });
      make.rewind(mark);
      expect(store.health()).toMatchObject({ healthy: false, reason: /no space left/ });
      expect(await store.readLog(0)).toEqual(kept);
      expect(await store.readRecord("meta", "count")).toBeNull();
    }
    freeDisk();
    for (let count = 0; count < 10; count += 1) {
      const envelopes = next();
      await store.commit(batchOf({ envelopes }));
      kept.push(...envelopes);
    }
    expect(store.health()).toMatchObject({ healthy: true, reason: "" });
    await store.close();
    const again = await openSqliteStore({ path });
    expect(await again.readLog(0)).toEqual(kept);
    await again.close();
  });

  it("a channel that could not be created does not come back with another's number", async () => {
    using folder = makeTempFolder();
    const { store, fillDisk, freeDisk } = openBare({ path: folder.at("hub.db") });
    const make = createChainMaker();
    const [lost, kept] = [make.channel(), make.channel()];
    const mark = make.mark();
    fillDisk();
    const text = "x".repeat(20_000);
    const failed = store.commit(
      batchOf({ channels: [lost], envelopes: [make.next(lost.channel_id, { text })] }),
    );
    await expect(failed).rejects.toThrow("no space left");
    freeDisk();
    make.rewind(mark);
    const envelopes = [make.next(kept.channel_id, { text })];
    await store.commit(batchOf({ channels: [kept], envelopes }));
    expect(await store.readWal(lost.channel_id)).toMatchObject({ head: 0 });
    expect((await store.readWal(kept.channel_id)).envelopes).toEqual(envelopes);
    await store.close();
  });

  it("keeps the lazy part waiting, tells of it, and writes it when there is space again", async () => {
    using folder = makeTempFolder();
    const clock = createFakeClock();
    const logger = createRecordingLogger();
    const { store, fillDisk, freeDisk } = openBare({ path: folder.at("hub.db"), clock, logger });
    await store.commit(batchOf({}));
    fillDisk();
    const note = { at: "2026", kind: "note", text: "x".repeat(50_000) };
    await store.commit(batchOf({ lazy: { audit: [note] } }));
    expect(store.health()).toMatchObject({ healthy: true, details: { lazy_waiting: 1 } });
    clock.advance(50);
    expect(logger.at("warn")).toMatchObject([{ message: "a lazy write must wait" }]);
    expect(store.health()).toMatchObject({ healthy: false, details: { lazy_waiting: 1 } });
    await store.commit(batchOf({ lazy: { deliveries: [] } }));
    expect(store.health().healthy).toBe(false);
    await expect(store.readAudit()).rejects.toThrow("no space left");
    freeDisk();
    clock.advance(1_000);
    expect(store.health()).toMatchObject({ details: { lazy_waiting: 0 } });
    expect(await store.readAudit()).toMatchObject([{ sequence: 1, record: note }]);
    await store.close();
  });

  it("lets no more than 10,000 lazy entries wait: then a commit writes them or fails with them", async () => {
    using folder = makeTempFolder();
    const clock = createFakeClock();
    const { store, fillDisk, freeDisk } = openBare({ path: folder.at("hub.db"), clock });
    fillDisk();
    const audit = Array.from({ length: 10_000 }, (_, count) => ({ at: "2026", kind: "x", count }));
    await store.commit(batchOf({ lazy: { audit } }));
    const one = batchOf({ lazy: { audit: audit.slice(0, 1) } });
    await expect(store.commit(one)).rejects.toThrow("no space left");
    const durable = batchOf({ records: [{ kind: "meta", id: "a", value: "1" }] });
    await expect(store.commit(durable)).rejects.toThrow("no space left");
    expect(await store.readRecord("meta", "a")).toBeNull();
    freeDisk();
    await store.commit(durable);
    expect(store.health()).toMatchObject({ healthy: true, details: { lazy_waiting: 0 } });
    expect(await store.readAudit({ after: 9_999 })).toMatchObject([{ sequence: 10_000 }]);
    await store.close();
  });

  it("a close that cannot write what waits says so, and lets go of the file all the same", async () => {
    using folder = makeTempFolder();
    const { db, store, fillDisk } = openBare({
      path: folder.at("hub.db"),
      clock: createFakeClock(),
    });
    fillDisk();
    await store.commit(
      batchOf({ lazy: { audit: [{ at: "2026", kind: "x", t: "x".repeat(50_000) }] } }),
    );
    await expect(store.close()).rejects.toBeInstanceOf(StoreError);
    expect(db.open).toBe(false);
    await expect(store.readLog(0)).rejects.toThrow("closed");
  });
});

describe("the lazy part", () => {
  it("goes to the file after lazyDelayMs by itself, and not before", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const clock = createFakeClock();
    const store = await openSqliteStore({ path, clock, lazyDelayMs: 80 });
    const reader = await openSqliteStore({ path, readonly: true });
    await store.commit(batchOf({ lazy: { audit: [{ at: "2026", kind: "x" }] } }));
    await store.commit(batchOf({ records: [{ kind: "meta", id: "a", value: "1" }] }));
    clock.advance(79);
    expect(await reader.readAudit()).toEqual([]);
    clock.advance(1);
    expect(await reader.readAudit()).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
    await reader.close();
    await store.close();
  });

  it("that is no plain data is refused with its batch", async () => {
    using folder = makeTempFolder();
    const store = await openSqliteStore({ path: folder.at("hub.db") });
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const refused = store.commit(
      batchOf({
        records: [{ kind: "meta", id: "a", value: "1" }],
        lazy: { audit: [{ at: "2026", kind: "x", loop }] },
      }),
    );
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    expect(await store.readRecord("meta", "a")).toBeNull();
    expect(store.health().healthy).toBe(true);
    await store.close();
  });
});

describe("a file that another program has changed", () => {
  it("fails the commit with a store error and keeps the store usable", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path });
    const make = createChainMaker();
    const channel = make.channel();
    await store.commit(
      batchOf({ channels: [channel], envelopes: make.take(channel.channel_id, 1) }),
    );
    const db = new Database(path);
    db.exec(
      "INSERT INTO envelope SELECT 2, channel, 2, 1, id || 'x', sender, causation, type, hash, content_digest, body FROM envelope",
    );
    const mark = make.mark();
    const refused = store.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
    await expect(refused).rejects.toMatchObject({ details: { outcome: "none" } });
    await expect(refused).rejects.toThrow("changed by another program");
    db.exec("DELETE FROM envelope WHERE n = 2");
    db.close();
    make.rewind(mark);
    await store.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
    expect(await store.readLog(0)).toHaveLength(2);
    await store.close();
  });
});
