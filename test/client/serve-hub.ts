/** A hub in a process of its own, so that a test can kill it: data file and port are arguments. */
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { openSqliteStore } from "@colloquy/storage-sqlite";

const [path = "", port = "0"] = process.argv.slice(2);
const hub = await openHub({
  store: await openSqliteStore({ path }),
  adapters: createDefaultAdapters(),
});
const server = await serveWebSocket(hub, { port: Number(port) });
process.stdout.write(`listening ${server.port}\n`);
