/** A person between agents: asked before something happens, and free to refuse. */
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
const desk = createHubClient({ link: createNodeLink(server.url) });
const phone = createHubClient({ link: createNodeLink(server.url) });

// What a web page or a chat program would do: show what comes, send what is typed.
const mira = await phone.registerHuman({ name: "Mira" });
const pushed: string[] = [];
const stopPushing = mira.onEnvelope((envelope) => {
  if (envelope.event_type === EV_TEXT) pushed.push(String(envelope.event_data["text"]));
});
const typed = ["How much does it cost?", "Then please do."];
const read = (async () => {
  for (const answer of typed) {
    const { channel_id, envelope_id, event_data } = await mira.nextEnvelope(
      ({ event_type }) => event_type === EV_TEXT,
      10_000,
    );
    console.log(`Clerk: ${String(event_data["text"])}\nMira:  ${answer}`);
    await mira.say(channel_id, answer, { causationId: envelope_id });
  }
})();

const clerk = await desk.register(
  createScriptedAgent("Clerk", ({ input }) =>
    /please do/i.test(String(input)) ? "Ordered." : "140 crowns, the frame included.",
  ),
);
const channel = await clerk.open({ type: "conversation", target: "Mira", intent: "approval" });
await channel.send("May I order the map for the reading room?");
await read;
const done = await mira.nextEnvelope(({ event_type }) => event_type === EV_TEXT, 10_000);
console.log(`Clerk: ${String(done.event_data["text"])}`);
assert.equal(done.event_data["text"], "Ordered.");
assert.deepEqual(pushed, [
  "May I order the map for the reading room?",
  "140 crowns, the frame included.",
  "Ordered.",
]);
assert.equal(mira.missed, 0);
assert.deepEqual(mira.outgoing, [], "everything that was typed has been admitted");
stopPushing();

// A person may end a channel at any time.
await mira.closeChannel(channel.channelId);
await clerk.waitForChannelEvent(
  channel.channelId,
  ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
  10_000,
);
assert.equal((await channel.info()).close_reason, "human_closed");

// And may decline to take part at all.
await mira.unregister();
const wary = await phone.registerHuman({ name: "Mira" }, { autoAcceptInvites: false });
const asked = clerk.open({ type: "conversation", target: "Mira" });
const invite = await wary.nextEnvelope(undefined, 10_000);
await Promise.all([wary.rejectInvite(invite, "on holiday"), assert.rejects(asked)]);
console.log("Mira has declined the next invitation.");

await Promise.all([desk.drain(), phone.drain()]);
await hub.drain();
