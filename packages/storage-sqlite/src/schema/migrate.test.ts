import { StoreError } from "@colloquy/protocol";
import { createRecordingLogger, makeTempFolder } from "@colloquy/testkit";
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
    expect(MIGRATIONS).toHaveLength(1);
  });
});
