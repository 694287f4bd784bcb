/** A hub on a SQLite file, in a process that may be killed at any moment. */
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { OpenOrder } from "./messages.js";

process.on("disconnect", () => process.exit(1));
process.on("message", async ({ data, port }: OpenOrder) => {
  const store = await openSqliteStore({ path: data });
  const hub = await openHub({ store, adapters: createDefaultAdapters() });
  const { url } = await serveWebSocket(hub, { port });
  process.once("SIGTERM", async () => {
    await hub.drain();
    process.exit(0);
  });
  process.send?.(url);
});
