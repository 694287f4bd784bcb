/** Runs the ten-line agent against a hub, and asks it something in two channels. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { createMemoryStore } from "@colloquy/storage-memory";
import { until } from "@colloquy/testkit";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const lines = readFileSync(main, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "");
assert.ok(lines.length <= 11, `it has ${lines.length} lines`);

const hub = await openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });
const { url } = await serveWebSocket(hub);
const agent = fork(main, [url]);
try {
  await until(() => hub.findAgentId("Echo"), { timeoutMs: 15_000, describe: "Echo's arrival" });
  const client = createHubClient({ link: createNodeLink(url) });
  const ada = await client.register(createScriptedAgent("Ada"));
  for (const word of ["Hello!", "Still there?"]) {
    const answer = await ada.consult("Echo", word);
    console.log(`Ada: ${word}  Echo: ${answer}`);
    assert.equal(answer, `You said: ${word}`);
  }
  await client.drain();
} finally {
  agent.kill();
  await hub.drain();
}
