/** Three agents speak in a fixed rotation; whoever speaks out of turn is refused. */
import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED, EV_TEXT, isNetworkError } from "@colloquy/protocol";
import { openStore } from "../stage/store.js";

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);
const connect = () => createHubClient({ link: createNodeLink(server.url) });
const clients = [connect(), connect(), connect()] as const;

const ada = await clients[0].register(createScriptedAgent("Ada", ["Then Tuesday it is."]));
await clients[1].register(
  createScriptedAgent("Bruno", ["I am on a roof until Monday evening.", "Tuesday is fine."]),
);
const chiara = await clients[2].register(
  // Silence passes the turn on: the channel never waits for somebody who has nothing to say.
  createScriptedAgent("Chiara", ["Any day but Monday.", null]),
);

const channel = await ada.open({
  type: "discussion",
  target: ["Bruno", "Chiara"],
  knobs: { max_turns: 6 },
});
await assert.rejects(
  chiara.send({ channel_id: channel.channelId, event_type: EV_TEXT, event_data: { text: "Me!" } }),
  (error) => isNetworkError(error) && error.code === "protocol_error",
  "the creator speaks first",
);
await channel.send("When do we meet to hang the lamps?");
await ada.waitForChannelEvent(
  channel.channelId,
  ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
  10_000,
);

const texts = (await hub.readWal(channel.channelId)).filter((one) => one.event_type === EV_TEXT);
const speakers = texts.map(({ sender_id }) => hub.nameFor(sender_id));
for (const [at, { event_data }] of texts.entries()) {
  console.log(`${speakers[at]}: ${String(event_data["text"]) || "(passes)"}`);
}
assert.deepEqual(speakers, ["Ada", "Bruno", "Chiara", "Ada", "Bruno", "Chiara"]);
assert.equal(texts.at(-1)?.event_data["text"], "");
assert.equal((await channel.info()).close_reason, "max_turns");

await Promise.all(clients.map((client) => client.drain()));
await hub.drain();
