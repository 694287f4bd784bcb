/** One question, one answer, over WebSocket; then the channel is closed by its own rule. */
import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { openStore } from "../stage/store.js";

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);

const asking = createHubClient({ link: createNodeLink(server.url) });
const answering = createHubClient({ link: createNodeLink(server.url) });
const ada = await asking.register(createScriptedAgent("Ada"));
await answering.register(
  createScriptedAgent("Bruno", ({ input }) => `About "${String(input)}": two shelves per wall.`),
);

const answer = await ada.consult("Bruno", "How many shelves fit?");
console.log(`Ada asked Bruno, who answered: ${answer}`);
assert.equal(answer, 'About "How many shelves fit?": two shelves per wall.');

const [channel] = await hub.listChannels();
assert.equal(channel?.manifest.type, "consulting");
assert.equal(channel?.state, "closed");
assert.equal(channel?.close_reason, "consulting_complete");
console.log(`The channel is ${channel?.state}: ${channel?.close_reason}.`);

await asking.drain();
await answering.drain();
await hub.drain();
