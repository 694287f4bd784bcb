import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createTransactor } from "./transactor.js";

function openList() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE list (item)");
  const insert = db.prepare("INSERT INTO list VALUES (?)");
  const items = () => db.prepare("SELECT item FROM list").pluck().all();
  return { db, items, put: (item: string) => insert.run(item), transact: createTransactor(db) };
}

describe("a transaction", () => {
  it("writes all of it and hands the result on", () => {
    const { items, put, transact } = openList();
    const result = transact.write(() => {
      put("a");
      put("b");
      return 7;
    });
    expect(result).toBe(7);
    expect(items()).toEqual(["a", "b"]);
  });

  it("writes nothing when the work throws, and works again afterwards", () => {
    const { db, items, put, transact } = openList();
    const broken = new Error("in the middle");
    const run = () =>
      transact.write(() => {
        put("a");
        throw broken;
      });
    expect(run).toThrow(broken);
    expect(db.inTransaction).toBe(false);
    transact.write(() => put("b"));
    expect(items()).toEqual(["b"]);
  });

  it("F-083 refuses an async function before any of it runs, and a returned promise, and writes nothing", async () => {
    const { db, items, put, transact } = openList();
    let started = false;
    const asynchronous = async () => {
      started = true;
      put("a");
      await Promise.resolve();
      put("b");
    };
    expect(() => transact.write(asynchronous)).toThrow("synchronous function");
    expect(started).toBe(false);
    const promising = () => {
      put("c");
      return Promise.resolve("done");
    };
    expect(() => transact.write(promising)).toThrow("synchronous function");
    expect(() => transact.read(promising)).toThrow("synchronous function");
    await Promise.resolve();
    expect(items()).toEqual([]);
    expect(db.inTransaction).toBe(false);
  });
});
