import { readdirSync, writeFileSync } from "node:fs";
import { StoreError } from "@colloquy/protocol";
import { batchOf, createChainMaker, dumpStore, makeTempFolder } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

/** An open store with some 2 MB in it. */
async function startStore(path: string) {
  const make = createChainMaker();
  const channel = make.channel();
  const store = await openSqliteStore({ path, durability: "os" });
  const text = "x".repeat(2_000);
  const next = () => batchOf({ envelopes: [make.next(channel.channel_id, { text })] });
  await store.commit(batchOf({ channels: [channel] }));
  for (let count = 0; count < 500; count += 1) await store.commit(next());
  return { store, next };
}

describe("backupTo", () => {
  it("copies a store that is being written, whole and as of one moment", async () => {
    using folder = makeTempFolder();
    const { store, next } = await startStore(folder.at("hub.db"));
    await store.commit(batchOf({ lazy: { audit: [{ at: "2026", kind: "before" }] } }));
    const left: number[] = [];
    let running = true;
    const backup = store
      .backupTo(folder.at("copy.db"), (progress) => left.push(progress.remaining_pages))
      .finally(() => {
        running = false;
      });
    let written = 500;
    while (running) {
      await store.commit(next());
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await backup;
    expect(left.length).toBeGreaterThan(1);
    expect(left.at(-1)).toBeLessThan(left[0] ?? 0);
    expect(written).toBeGreaterThan(500);
    const copy = await openSqliteStore({ path: folder.at("copy.db") });
    const { log, recovered, audit } = await dumpStore(copy);
    expect(log.length).toBeGreaterThanOrEqual(500);
    expect(log).toEqual((await store.readLog(0)).slice(0, log.length));
    expect(recovered).toMatchObject([{ head: { position: log.length } }]);
    expect(audit).toMatchObject([{ record: { kind: "before" } }]);
    await copy.close();
    await store.close();
  });

  it("a reader backs up a store that its owner is writing", async () => {
    using folder = makeTempFolder();
    const { store, next } = await startStore(folder.at("hub.db"));
    const reader = await openSqliteStore({ path: folder.at("hub.db"), readonly: true });
    await reader.backupTo(folder.at("copy.db"));
    await store.commit(next());
    const copy = await openSqliteStore({ path: folder.at("copy.db") });
    expect(await copy.readLog(0)).toEqual((await store.readLog(0)).slice(0, 500));
    await Promise.all([copy.close(), reader.close(), store.close()]);
  });

  it("refuses a path where something is, and a folder that is not there", async () => {
    using folder = makeTempFolder();
    const { store } = await startStore(folder.at("hub.db"));
    writeFileSync(folder.at("copy.db"), "precious");
    await expect(store.backupTo(folder.at("copy.db"))).rejects.toThrow(/exists already/);
    await expect(store.backupTo(folder.at("no", "copy.db"))).rejects.toThrow(/create the folder/);
    await expect(store.backupTo(folder.at("hub.db"))).rejects.toBeInstanceOf(StoreError);
    await store.close();
    await expect(store.backupTo(folder.at("late.db"))).rejects.toThrow("closed");
  });

  it("leaves nothing when it is broken off, by its observer or by a close", async () => {
    using folder = makeTempFolder();
    const { store } = await startStore(folder.at("hub.db"));
    const stopped = store.backupTo(folder.at("copy.db"), () => {
      throw new Error("enough");
    });
    await expect(stopped).rejects.toThrow("enough");
    const cut = store.backupTo(folder.at("copy.db"), () => undefined);
    const failed = expect(cut).rejects.toBeInstanceOf(StoreError);
    await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    await failed;
    expect(readdirSync(folder.path).filter((name) => name.startsWith("copy"))).toEqual([]);
  });
});
