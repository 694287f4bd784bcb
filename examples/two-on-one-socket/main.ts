/** Two agents on one connection open a channel with each other: neither waits for the other's frame. */
import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import { openStore } from "../stage/store.js";

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);
const client = createHubClient({ link: createNodeLink(server.url) });
const tick = await client.register(createScriptedAgent("Tick", ({ input }) => `${input} tick`));
const tock = await client.register(createScriptedAgent("Tock", ({ input }) => `${input} tock`));
assert.equal(server.connections, 1);

// Each opens a channel with the other at the same time.
const knobs = { max_turns: 4 };
const [one, two] = await Promise.all([
  tick.open({ type: "conversation", target: "Tock", knobs }),
  tock.open({ type: "conversation", target: "Tick", knobs }),
]);
await Promise.all([one.send("one:"), two.send("two:")]);
const hasEnded = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
await Promise.all([
  tick.waitForChannelEvent(one.channelId, hasEnded, 10_000),
  tock.waitForChannelEvent(two.channelId, hasEnded, 10_000),
]);

const lastIn = async (channelId: string) => {
  const wal = await hub.readWal(channelId);
  return wal.at(-2)?.event_data["text"];
};
const words = [await lastIn(one.channelId), await lastIn(two.channelId)];
console.log(words.join("\n"));
assert.deepEqual(words, ["one: tock tick tock", "two: tick tock tick"]);

// A question on the same socket, too.
const answer = await tick.consult("Tock", "Are you there?");
console.log(answer);
assert.equal(answer, "Are you there? tock");
assert.equal(server.connections, 1);

await client.drain();
await hub.drain();
