/** A channel type of one's own: an auction between agents in different connections. */
import assert from "node:assert/strict";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED, EV_TEXT, isNetworkError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createAuctionAdapter } from "./auction-adapter.js";
import { createBidder } from "./bidder.js";

const adapters = [createAuctionAdapter()];
const hub = await openHub({ store: createMemoryStore(), adapters });
const server = await serveWebSocket(hub);
const connect = () => createHubClient({ link: createNodeLink(server.url), adapters });

const clients = [connect(), connect(), connect()] as const;
const [first, second, third] = clients;
const seller = await first.register(createScriptedAgent("Seller"));
await second.register(createBidder("Ann", { limit: 40, step: 10 }));
const ben = await third.register(createBidder("Ben", { limit: 55, step: 5 }));

const channel = await seller.open({
  type: "auction",
  target: ["Ann", "Ben"],
  knobs: { lot: "a globe", start: 10 },
});
await assert.rejects(
  ben.send({ channel_id: channel.channelId, event_type: EV_TEXT, event_data: { text: "99" } }),
  (error) => isNetworkError(error) && /waits for/.test(error.message),
  "nobody bids before the lot is presented",
);
await channel.send("A globe, a little dusty, all countries included. Who offers more than 10?");
await seller.waitForChannelEvent(
  channel.channelId,
  ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
  10_000,
);

const bids = [];
for (const { sender_id, event_type, event_data } of await hub.readWal(channel.channelId)) {
  if (event_type === EV_TEXT) bids.push(`${hub.nameFor(sender_id)}: ${String(event_data["text"])}`);
}
console.log(bids.join("\n"));
assert.deepEqual(bids.slice(1), ["Ann: 20", "Ben: 25", "Ann: 35", "Ben: 40", "Ann: pass"]);

const { close_reason } = await channel.info();
const { state } = await hub.adapterState(channel.channelId);
assert.equal(close_reason, "sold");
assert.deepEqual(state, {
  bidders: [ben.agentId],
  next: null,
  price: 40,
  leader: ben.agentId,
  last_envelope_id: (await hub.readWal(channel.channelId)).at(-2)?.envelope_id,
});
console.log("Ben has the globe for 40.");

await Promise.all(clients.map((client) => client.drain()));
await hub.drain();
