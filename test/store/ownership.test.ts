import { StoreError } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { batchOf, createChainMaker, makeTempFolder } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { startProgram } from "./start-program.js";

describe("a store in a file", () => {
  it("F-085 has one owner: a second process is refused and told who it is, until the first is killed", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const owner = startProgram("hold-store", path);
    try {
      await owner.line("open");
      const refused = openSqliteStore({ path });
      await expect(refused).rejects.toBeInstanceOf(StoreError);
      await expect(refused).rejects.toThrow(`process ${owner.pid} on host`);
      await expect(refused).rejects.toMatchObject({
        details: { reason: "held", pid: owner.pid },
      });
      const reader = await openSqliteStore({ path, readonly: true });
      expect(await reader.readLog(0)).toEqual([]);
      await reader.close();
    } finally {
      await owner.kill();
    }
    const next = await openSqliteStore({ path });
    await next.commit(batchOf({ channels: [createChainMaker().channel()] }));
    await next.close();
  });

  it("F-085 a killed owner's number that somebody else has now means nothing", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const owner = startProgram("hold-store", path);
    await owner.line("open");
    await owner.kill();
    // The record names a process that lives: this one.
    const lock = new Database(`${path}-lock`);
    lock.prepare("UPDATE holder SET pid = ?").run(process.pid);
    lock.close();
    const store = await openSqliteStore({ path });
    expect(await store.readLog(0)).toEqual([]);
    await store.close();
  });

  it("has one owner within one process, too", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path });
    await expect(openSqliteStore({ path })).rejects.toThrow(`process ${process.pid}`);
    await expect(openSqliteStore({ path })).rejects.toThrow("readonly: true");
    await store.close();
    await (await openSqliteStore({ path })).close();
  });

  it("F-081 a commit waits while another process holds the write lock, and the thread goes on", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path });
    const make = createChainMaker();
    const channel = make.channel();
    await store.commit(
      batchOf({ channels: [channel], envelopes: make.take(channel.channel_id, 1) }),
    );
    const other = startProgram("hold-store", path, "2000");
    await other.line("locked");
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 20);
    // Reads first, as the path of a post does.
    expect((await store.readHead(channel.channel_id)).position).toBe(1);
    const envelopes = make.take(channel.channel_id, 1);
    await store.commit(batchOf({ envelopes }));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(20);
    await other.line("released");
    expect(await store.readLog(1)).toEqual(envelopes);
    expect(store.health()).toMatchObject({ healthy: true, reason: "" });
    await store.close();
    await other.ended;
  });

  it("F-081 a lock that is held too long fails the commit with an error that invites a retry", async () => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    const store = await openSqliteStore({ path, busyTimeoutMs: 100 });
    const make = createChainMaker();
    const channel = make.channel();
    await store.commit(batchOf({ channels: [channel] }));
    const other = startProgram("hold-store", path, "60000");
    await other.line("locked");
    const mark = make.mark();
    const late = store.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
    await expect(late).rejects.toBeInstanceOf(StoreError);
    await expect(late).rejects.toMatchObject({ details: { retryable: true, outcome: "none" } });
    expect(store.health()).toMatchObject({ healthy: false, reason: /another process/ });
    expect(await store.readLog(0)).toEqual([]);
    await other.kill();
    make.rewind(mark);
    const envelopes = make.take(channel.channel_id, 1);
    await store.commit(batchOf({ envelopes }));
    expect(await store.readLog(0)).toEqual(envelopes);
    expect(store.health().healthy).toBe(true);
    await store.close();
  });
});
