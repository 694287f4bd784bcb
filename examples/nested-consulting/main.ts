/** An agent asks another one in the middle of its own turn, in process and over WebSocket alike. */
import assert from "node:assert/strict";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createLocalLink, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { type Hub, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_TEXT, type Link } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";

/** Guest asks Waiter, who asks Cook within the turn, who asks Cellar within that one. */
async function dine(hub: Hub, connect: () => Link): Promise<void> {
  const client = createHubClient({ link: connect() });
  const other = createHubClient({ link: connect() });
  const guest = await client.register(createScriptedAgent("Guest"));
  await client.register(
    createScriptedAgent("Waiter", async ({ context, input }) => {
      const advice = await context.client.consult("Cook", `A guest asks: ${String(input)}`);
      return `The cook says: ${advice}`;
    }),
  );
  await other.register(
    createScriptedAgent("Cook", async ({ context }) => {
      const wine = await context.client.consult("Cellar", "What goes with trout?");
      return `Take the trout, with ${wine}.`;
    }),
  );
  await other.register(createScriptedAgent("Cellar", ["a dry white from the lake"]));

  const answer = await guest.consult("Waiter", "What is good today?");
  console.log(`  ${answer}`);
  assert.equal(answer, "The cook says: Take the trout, with a dry white from the lake.");

  const channels = await hub.listChannels();
  assert.equal(channels.length, 3);
  assert.ok(channels.every(({ close_reason }) => close_reason === "consulting_complete"));
  const [outer, middle, inner] = channels;
  assert.equal(outer?.parent_channel_id, null);
  assert.equal(middle?.parent_channel_id, outer?.channel_id, "a nested channel knows its parent");
  assert.equal(inner?.parent_channel_id, middle?.channel_id);
  const depths = [];
  for (const { channel_id } of channels) {
    const wal = await hub.readWal(channel_id);
    depths.push(wal.find(({ event_type }) => event_type === EV_TEXT)?.depth);
  }
  console.log(`  delegation depths: ${depths.join(", ")}`);
  assert.deepEqual(depths, [1, 2, 3]);
  await Promise.all([client.drain(), other.drain()]);
}

const open = () => openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });

console.log("In one process:");
const inside = await open();
await dine(inside, () => createLocalLink(inside));
await inside.drain();

console.log("Over WebSocket:");
const served = await open();
const { url } = await serveWebSocket(served);
await dine(served, () => createNodeLink(url));
await served.drain();
