import { existsSync } from "node:fs";
import { faulty, fileStoreFactory, runStoreConformance } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { openSqliteStore } from "./open-sqlite-store.js";
import type { SqliteStoreOptions } from "./options.js";

// Where nothing has to reach a disk, memory saves most of the time.
const IN_MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;

function factory(options: Omit<SqliteStoreOptions, "path">, wrap?: typeof faulty) {
  return fileStoreFactory({
    suffixes: ["", "-wal"],
    parent: options.durability === "os" ? IN_MEMORY : undefined,
    async open(path) {
      const store = await openSqliteStore({ busyTimeoutMs: 20, ...options, path });
      return wrap === undefined ? store : wrap(store);
    },
    obstruct(path) {
      const other = new Database(path);
      other.exec("BEGIN IMMEDIATE");
      return () => void other.close();
    },
    damage(path, channelId) {
      const db = new Database(path);
      db.prepare(
        "DELETE FROM envelope WHERE position = 3 AND channel = (SELECT n FROM channel WHERE id = ?)",
      ).run(channelId);
      db.close();
    },
  });
}

runStoreConformance("sqlite, durability sync", factory({ durability: "sync" }));
runStoreConformance("sqlite, durability os", factory({ durability: "os" }));
runStoreConformance(
  "sqlite behind a wrapper without faults",
  factory({ durability: "os" }, faulty),
);
