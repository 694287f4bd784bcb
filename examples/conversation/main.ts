/** Two agents talk freely until the channel's cap on turns ends it. */
import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED, EV_TEXT } from "@colloquy/protocol";
import { openStore } from "../stage/store.js";

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);
const home = createHubClient({ link: createNodeLink(server.url) });
const library = createHubClient({ link: createNodeLink(server.url) });

const ada = await home.register(
  createScriptedAgent("Ada", ["Something with the sea in it.", "Is it long?"]),
);
const chiara = createScriptedAgent("Chiara", [
  "Of course. What do you like to read?",
  "Then take the lighthouse novel.",
  "It is short, but you will read it twice.",
]);
await library.register(chiara);

const channel = await ada.open({
  type: "conversation",
  target: "Chiara",
  intent: "find a book",
  knobs: { max_turns: 6 },
});
await channel.send("Can you find me a book for the weekend?");
const last = await ada.waitForChannelEvent(
  channel.channelId,
  ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
  10_000,
);

const texts = (await hub.readWal(channel.channelId)).filter((one) => one.event_type === EV_TEXT);
for (const { sender_id, event_data } of texts) {
  console.log(`${hub.nameFor(sender_id)}: ${String(event_data["text"])}`);
}
console.log(`The channel has ended: ${String(last.event_data["reason"])}.`);

assert.equal(texts.length, 6);
assert.equal(last.event_data["reason"], "max_turns");
assert.ok(
  texts.slice(1).every(({ causation_id }, at) => causation_id === texts[at]?.envelope_id),
  "each answer names what it answers",
);
assert.equal(chiara.turns[2]?.history.length, 4, "a turn sees what was said before it");
await assert.rejects(channel.send("And one more thing"), "nothing is said in a closed channel");

await Promise.all([home.drain(), library.drain()]);
await hub.drain();
