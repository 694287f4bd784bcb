import { makeTempFolder, runKnowledgeConformance } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";
import { openSqliteKnowledge } from "./sqlite-knowledge.js";

runKnowledgeConformance("SQLite", async () => {
  const folder = makeTempFolder();
  const store = await openSqliteKnowledge({ path: folder.at("knowledge.db") });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
});

it("keeps what was put when it is opened again", async () => {
  using folder = makeTempFolder();
  const path = folder.at("knowledge.db");
  const first = await openSqliteKnowledge({ path });
  await first.put([{ id: "mill", title: "The mill", text: "It turns." }]);
  await first.close();
  const again = await openSqliteKnowledge({ path });
  expect((await again.search("turns")).map(({ id }) => id)).toEqual(["mill"]);
  await again.close();
});

it("refuses a file that is something else, and leaves it as it is", async () => {
  using folder = makeTempFolder();
  const path = folder.at("hub.db");
  const hub = await openSqliteStore({ path });
  await hub.close();
  await expect(openSqliteKnowledge({ path })).rejects.toThrow(/no knowledge store/);
  await (await openSqliteStore({ path })).close();
});
