import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createLocalLink } from "@colloquy/client";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createFakeClock, createFakeIds, makeTempFolder, settle, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { assembleHub } from "../../packages/hub/src/open-hub.js";

/** Channels of a full run are 10,000; a short one counts the same tables. */
const CHANNELS = Number(process.env["COLLOQUY_LIFE_CHANNELS"] ?? 400);
const FIRST = 100;
const WAYS = ["closed", "drained", "expired", "refused", "deadline", "left", "crashed"] as const;

/** Bytes of objects that somebody still holds. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

async function openWorld(path: string) {
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    store: await openSqliteStore({ path, durability: "os" }),
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    limits: { endedChannelsInMemory: 16, inviteAckTimeoutMs: 1_000 },
  });
  const join = async (name: string) => {
    const client = createHubClient({
      link: createLocalLink({ accept: (peer) => hub.accept(peer) }),
    });
    return client.register({
      name,
      ask: async () => ({ text: "heard", events: [] }),
    });
  };
  const [ada, bob] = [await join("ada"), await join("bob")];
  const silent = await join("silent");
  silent.onEnvelope(() => undefined);
  ada.onEnvelope(async (envelope, client) => {
    if (envelope.event_type.endsWith("invite"))
      await client.defaultHandler(envelope, client, {
        position: null,
        attempt: 1,
        signal: new AbortController().signal,
      });
  });
  let crashes = 0;
  const live = async (way: (typeof WAYS)[number]): Promise<void> => {
    if (way === "refused") {
      await expect(ada.open({ type: "discussion", target: "nobody" })).rejects.toThrow();
      return;
    }
    if (way === "deadline") {
      const opening = ada.open({ type: "consulting", target: "silent" }).catch(() => undefined);
      await settle();
      await clock.advanceAsync(1_000);
      await opening;
      return;
    }
    if (way === "crashed") {
      crashes += 1;
      const dying = await join(`dying-${crashes}`);
      const channel = await ada.open({ type: "conversation", target: dying.agentId });
      await channel.send("are you there?");
      await dying.hub.close();
      await channel.send("hello?");
      await hub.unregister(dying.agentId);
      expect((await channel.info()).close_reason).toBe("too_few_participants");
      ada.discardChannelInbox(channel.channelId);
      return;
    }
    const channel = await ada.open({ type: "conversation", target: "bob", ttl: 60 });
    for (let turn = 0; turn < 2; turn += 1) await channel.send(`text ${turn}`);
    await until(async () => (await hub.readWal(channel.channelId)).length >= 7);
    if (way === "closed") await channel.close();
    if (way === "drained") await channel.close("night", { drain: true });
    if (way === "left") await channel.leave();
    if (way === "expired") await clock.advanceAsync(60_000);
    await until(async () => (await hub.getChannel(channel.channelId)).closed_at !== null);
    ada.discardChannelInbox(channel.channelId);
    bob.discardChannelInbox(channel.channelId);
  };
  const count = async () => {
    await until(() => hub.health().pending_inbox_total === 0);
    await settle();
    return {
      deadlines: context.deadlines.size,
      open: context.channels.openCount,
      inMemory: [...context.channels.inMemory()].length,
      waiters: context.waiters.size,
      listeners: context.listeners.count,
      connections: hub.health().connections,
      handles: process.getActiveResourcesInfo().length,
    };
  };
  return { hub, live, count };
}

it("F-155 leaves nothing behind of channels that were opened, used and ended in every way", {
  timeout: 20_000 + CHANNELS * 100,
}, async () => {
  using folder = makeTempFolder();
  const { hub, live, count } = await openWorld(folder.at("hub.db"));
  for (let index = 0; index < FIRST; index += 1) await live(WAYS[index % WAYS.length] ?? "closed");
  const first = await count();
  const heap = heldBytes();
  for (let index = 0; index < CHANNELS; index += 1) {
    await live(WAYS[index % WAYS.length] ?? "closed");
  }
  const after = await count();
  expect(after).toEqual(first);
  expect(after).toMatchObject({ deadlines: 0, open: 0, waiters: 0 });
  expect(heldBytes() - heap).toBeLessThan(32 * 1024 * 1024);
  await hub.close();
});
