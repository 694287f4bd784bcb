import { StoreError } from "@colloquy/protocol";
import { batchOf, createRecordingLogger, makeTempFolder } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createTransactor } from "../file/transactor.js";
import { openSqliteStore } from "../open-sqlite-store.js";
import { migrate } from "./migrate.js";
import { MIGRATIONS, type Migration } from "./migrations.js";

function openDatabase() {
  const db = new Database(":memory:");
  const logger = createRecordingLogger();
  const run = (steps: readonly Migration[]) =>
    migrate({ db, transact: createTransactor(db), path: "hub.db", logger }, steps);
  const version = () => db.pragma("user_version", { simple: true });
  return { db, logger, run, version };
}

const FIRST: Migration = { title: "make a", apply: (db) => void db.exec("CREATE TABLE a (x)") };
const SECOND: Migration = {
  title: "fill a",
  apply: (db) => void db.exec("ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2)"),
};

describe("migrate", () => {
  it("runs what is missing, in order and once", () => {
    const { db, logger, run, version } = openDatabase();
    expect(run([FIRST])).toEqual([]);
    expect(version()).toBe(1);
    expect(run([FIRST, SECOND])).toEqual(["schema brought from version 1 to 2: fill a"]);
    expect(version()).toBe(2);
    expect(run([FIRST, SECOND])).toEqual([]);
    expect(db.prepare("SELECT * FROM a").all()).toEqual([{ x: 1, y: 2 }]);
    expect(logger.at("info")).toMatchObject([{ message: "fill a", fields: { version: 2 } }]);
  });

  it("a step that fails leaves the version before it whole, and can be run again", () => {
    const { db, run, version } = openDatabase();
    const failing: Migration = {
      title: "go wrong",
      apply(database) {
        database.exec("INSERT INTO a VALUES (1)");
        throw new Error("no such thing");
      },
    };
    expect(() => run([FIRST, failing])).toThrow(StoreError);
    expect(() => run([FIRST, failing])).toThrow(/version 1 to 2 \(go wrong\): no such thing/);
    expect(version()).toBe(1);
    expect(db.prepare("SELECT * FROM a").all()).toEqual([]);
    run([FIRST, SECOND]);
    expect(version()).toBe(2);
  });

  it("refuses a database that is newer than the steps", () => {
    const { run } = openDatabase();
    run([FIRST, SECOND]);
    expect(() => run([FIRST])).toThrow(/version 2, newer than version 1/);
  });

  it("a reader refuses an older store and leaves it alone", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await (await openSqliteStore({ path })).close();
    const db = new Database(path);
    db.pragma("user_version = 0");
    db.close();
    await expect(openSqliteStore({ path, readonly: true })).rejects.toThrow(/no store yet/);
    expect(MIGRATIONS).toHaveLength(3);
  });

  it("brings an audit log of version 1 into a chain in which everything is found", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const db = new Database(path);
    const { logger } = openDatabase();
    migrate({ db, transact: createTransactor(db), path, logger }, MIGRATIONS.slice(0, 1));
    const put = db.prepare("INSERT INTO audit (kind, record) VALUES (?, ?)");
    const records = [
      { at: "2026-01-01", kind: "x", agent_id: "a" },
      { at: "2026-01-02", kind: "y", channel_id: "c", participants: ["a", "b"] },
    ];
    for (const record of records) put.run(record.kind, JSON.stringify(record));
    db.close();
    const store = await openSqliteStore({ path });
    const audit = [{ at: "2026-01-03", kind: "z" }];
    await store.commit(batchOf({ lazy: { audit } }));
    const stored = await store.readAudit();
    expect(stored.map(({ record }) => record)).toEqual([...records, ...audit]);
    expect(stored[0]?.prev_hash).toBe("");
    expect(stored[1]?.prev_hash).toBe(stored[0]?.hash);
    expect(stored[2]?.prev_hash).toBe(stored[1]?.hash);
    expect(await store.readAudit({ agent_id: "a", from: "2026-01-02" })).toEqual([stored[1]]);
    await store.close();
  });

  it("N-220 a record that was cut off is an error that names it; whole ones stay as they are", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path });
    const audit = [1, 2, 3].map((n) => ({ at: "2026", kind: "x", n }));
    await store.commit(batchOf({ lazy: { audit } }));
    await store.close();
    const db = new Database(path);
    db.prepare("UPDATE audit SET record = substr(record, 1, 8) WHERE sequence = 3").run();
    const again = await openSqliteStore({ path });
    await expect(again.readAudit()).rejects.toThrow("audit record 3 is no JSON");
    const whole = await again.readAudit({ limit: 2 });
    expect(whole.map(({ record }) => record)).toEqual(audit.slice(0, 2));
    const texts = db.prepare("SELECT record FROM audit ORDER BY sequence").pluck().all();
    expect(texts.slice(0, 2)).toEqual(audit.slice(0, 2).map((record) => JSON.stringify(record)));
    db.close();
    await again.close();
  });
});
