import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { type AuctionState, createAuctionAdapter } from "./auction-adapter.js";
import { createBidder } from "./bidder.js";

const adapters = [createAuctionAdapter()];

/** Holds an auction over WebSocket, each bidder on a connection of its own. */
async function holdAuction(start: number, limits: Readonly<Record<string, number>>) {
  const hub = await openHub({ store: createMemoryStore(), adapters });
  const { url } = await serveWebSocket(hub);
  const connect = () => createHubClient({ link: createNodeLink(url), adapters });
  const home = connect();
  const seller = await home.register(createScriptedAgent("Seller"));
  for (const [name, limit] of Object.entries(limits)) {
    await connect().register(createBidder(name, { limit, step: 10 }));
  }
  const open = (knobs: Record<string, unknown>) =>
    seller.open({ type: "auction", target: Object.keys(limits), knobs });
  const channel = await open({ lot: "a lamp", start });
  await channel.send("A lamp.");
  const hasEnded = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
  await seller.waitForChannelEvent(channel.channelId, hasEnded, 10_000);
  const { close_reason } = await channel.info();
  const { leader, price } = (await hub.adapterState(channel.channelId)).state as AuctionState;
  return {
    close_reason,
    price,
    leader: leader === null ? null : hub.nameFor(leader),
    open,
    [Symbol.asyncDispose]: () => hub.close(),
  };
}

describe("an auction over WebSocket", () => {
  it("goes to the one who bids highest", async () => {
    await using auction = await holdAuction(10, { Ann: 30, Ben: 70, Cat: 60 });
    expect(auction).toMatchObject({ close_reason: "sold", leader: "Ben", price: 70 });
  });

  it("goes to the only one who bids", async () => {
    await using auction = await holdAuction(10, { Ann: 0, Ben: 20, Cat: 0 });
    expect(auction).toMatchObject({ close_reason: "sold", leader: "Ben", price: 20 });
  });

  it("ends unsold when everybody passes", async () => {
    await using auction = await holdAuction(100, { Ann: 30, Ben: 40 });
    expect(auction).toMatchObject({ close_reason: "unsold", leader: null, price: 100 });
  });

  it("is not opened without a lot", async () => {
    await using auction = await holdAuction(10, { Ann: 0 });
    await expect(auction.open({ start: 1 })).rejects.toThrow(/lot/);
    await expect(auction.open({ lot: "x", start: 1, tax: 2 })).rejects.toThrow(/tax/);
  });
});
