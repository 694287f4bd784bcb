/** A hub on a SQLite file, in a process that may be killed at any moment. */
import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { HubOrder } from "./messages.js";

let hub: Hub | null = null;

process.on("disconnect", () => process.exit(1));
process.on("message", async (order: HubOrder) => {
  if (order.kind === "drain") {
    await hub?.drain();
    process.send?.("drained");
    return;
  }
  const store = await openSqliteStore({ path: order.data });
  hub = await openHub({ store, adapters: createDefaultAdapters() });
  const { url } = await serveWebSocket(hub, { port: order.port });
  process.send?.(url);
});
