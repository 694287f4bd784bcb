import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStoreConformance, type StoreFactory } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { openSqliteStore } from "./open-sqlite-store.js";
import type { SqliteStore } from "./sqlite-store.js";

const subjectWith =
  (durability: "sync" | "os", anchorEvery: number): StoreFactory =>
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-store-"));
    let path = join(folder, "hub.db");
    const open = () => openSqliteStore({ path, durability, anchorEvery });
    const store = await open();
    let newest: SqliteStore = store;
    const reopen = async () => {
      newest = await open();
      return newest;
    };
    return {
      store,
      reopen,
      async crash() {
        // What a killed process leaves is what lies in its files at that moment.
        const image = `${path}-after-crash`;
        for (const suffix of ["", "-wal"]) execFileSync("cp", [path + suffix, image + suffix]);
        await newest.close();
        path = image;
        return reopen();
      },
      async damage(channelId) {
        const db = new Database(path);
        db.prepare(
          "DELETE FROM envelope WHERE position = 3 AND channel = (SELECT n FROM channel WHERE id = ?)",
        ).run(channelId);
        db.close();
      },
      async dispose() {
        await newest.close();
        rmSync(folder, { recursive: true });
      },
    };
  };

runStoreConformance("sqlite, durability sync", subjectWith("sync", 64));
runStoreConformance("sqlite, durability os", subjectWith("os", 64));
runStoreConformance("sqlite, an anchor at every third position", subjectWith("os", 3));
