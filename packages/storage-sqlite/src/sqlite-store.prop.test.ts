import { existsSync } from "node:fs";
import { fileStoreFactory, runStoreModel } from "@colloquy/testkit";
import { openSqliteStore } from "./open-sqlite-store.js";

for (const anchorEvery of [64, 3]) {
  runStoreModel(
    `sqlite, an anchor every ${anchorEvery} positions`,
    fileStoreFactory({
      suffixes: ["", "-wal"],
      parent: existsSync("/dev/shm") ? "/dev/shm" : undefined,
      open: (path) => openSqliteStore({ path, durability: "os", anchorEvery }),
      damage: () => undefined,
    }),
    { runs: 60 },
  );
}
