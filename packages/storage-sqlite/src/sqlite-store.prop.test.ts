import { fileStoreFactory, runStoreModel } from "@colloquy/testkit";
import { openSqliteStore } from "./open-sqlite-store.js";

for (const anchorEvery of [64, 3]) {
  runStoreModel(
    `sqlite, an anchor every ${anchorEvery} positions`,
    fileStoreFactory({
      suffixes: ["", "-wal"],
      open: (path) => openSqliteStore({ path, durability: "os", anchorEvery }),
      damage: () => undefined,
    }),
    { runs: 30 },
  );
}
