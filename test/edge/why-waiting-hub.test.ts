import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { WAITING_CAUSES } from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createHubBench, faulty, settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { acceptOnly } from "../fixtures/test-network.js";
import { readText } from "../source-files.js";
import { at, openWaitingNetwork } from "./waiting-network.js";

/** A discussion of alice and bob, in which it is bob's turn since 1,000 ms; nobody has a connection. */
async function bobsTurn(adapters = createDefaultAdapters()) {
  const clock = createFakeClock();
  const disk = createMemoryDisk();
  const memory = createMemoryStore({ disk });
  const store = faulty(memory, { clock });
  const hub = await openHub({ store, clock, adapters });
  const bench = createHubBench(hub);
  const alice = await bench.join("alice");
  const bob = await bench.join("bob");
  const { channel_id: id } = await bench.open("discussion", alice, [bob]);
  await clock.advanceAsync(1_000);
  await bench.say(id, alice, "what do you say?");
  return { clock, disk, memory, store, hub, bench, alice, bob, id };
}

it("an unknown channel waits for nothing, and that is an answer", async () => {
  const { hub } = await bobsTurn();
  expect(await hub.whyWaiting("nowhere")).toEqual({
    channel_id: "nowhere",
    sentence: "There is no channel 'nowhere'.",
    cause: "not_found",
    awaited: [],
    since: null,
    next: null,
  });
  await hub.close();
});

it("a channel that has ended says how", async () => {
  const { hub, id } = await bobsTurn();
  await hub.closeChannel(id, "all said");
  expect(await hub.whyWaiting(id)).toMatchObject({
    sentence: `The channel has been closed since ${at(1_000)} (all said).`,
    cause: "ended",
    since: at(1_000),
    next: null,
  });
  await hub.close();
});

it("a hub that has closed takes nothing in", async () => {
  const { hub, id } = await bobsTurn();
  await hub.close();
  expect(await hub.whyWaiting(id)).toMatchObject({
    sentence: "The hub has closed and takes nothing in until it has started again.",
    cause: "hub_draining",
  });
});

it("a hub that drains takes nothing in", async () => {
  const { hub, store, id, bench, bob } = await bobsTurn();
  const blockade = store.block("commit");
  const said = bench.say(id, bob, "on its way");
  await settle();
  const drained = hub.drain();
  expect(await hub.whyWaiting(id)).toMatchObject({
    sentence: "The hub is shutting down and takes nothing in until it has started again.",
    cause: "hub_draining",
  });
  blockade.release();
  await said;
  await drained;
});

it("a store that failed is named, and why only to whoever holds the hub", async () => {
  const { hub, store, id, bench, bob } = await bobsTurn();
  store.failNext("commit", 9);
  await expect(bench.say(id, bob, "lost")).rejects.toThrow("disk");
  const { sentence, cause } = await hub.whyWaiting(id);
  expect(cause).toBe("store_failing");
  expect(sentence).toMatch(/^The store has failed and has not worked since \(.*disk.*\)\.$/);
  const shown = await hub.whyWaiting(id, { reasons: false });
  expect(shown.sentence).toBe("The store has failed and has not worked since.");
  store.heal();
  await hub.close();
});

it("a store that hangs is waited for", async () => {
  const { hub, store, id, bench, bob } = await bobsTurn();
  const blockade = store.block("commit");
  const said = bench.say(id, bob, "on its way");
  await settle();
  expect(await hub.whyWaiting(id)).toMatchObject({
    sentence: "Waiting for the store to commit 1 envelope.",
    cause: "committing",
  });
  blockade.release();
  await said;
  await hub.close();
});

it("a channel that cannot be read is quarantined, and the reason is told", async () => {
  const { disk, memory, clock, id } = await bobsTurn();
  const adapters = createDefaultAdapters().map((adapter) => ({
    ...adapter,
    fold: () => {
      throw new Error("a bug");
    },
  }));
  // After a kill, so that there is no snapshot.
  memory.crash();
  const second = await openHub({ store: createMemoryStore({ disk }), clock, adapters });
  const { cause, sentence } = await second.whyWaiting(id);
  expect(cause).toBe("quarantined");
  expect(sentence).toMatch(
    /^The channel is quarantined until the hub starts again on mended data \(.*a bug.*\)\.$/,
  );
  expect((await second.whyWaiting(id, { reasons: false })).sentence).toBe(
    "The channel is quarantined until the hub starts again on mended data.",
  );
  await second.close();
});

it("a type that is not registered cannot say whose turn it is", async () => {
  const { hub, disk, clock, id } = await bobsTurn();
  await hub.close();
  const second = await openHub({ store: createMemoryStore({ disk }), clock, adapters: [] });
  expect(await second.whyWaiting(id)).toMatchObject({
    sentence: `The channel's type 'discussion' version 1 cannot say whose turn it is (no adapter of it is registered); the channel expires at ${at(7_200_000)}.`,
    cause: "type_unusable",
  });
  await second.close();
});

it("an agent whose rule keeps the envelope from it is named", async () => {
  const { hub, clock, bench, id, alice, bob } = await bobsTurn();
  await bench.say(id, bob, "go on");
  const { access, ...rule } = await hub.getRule(bob);
  await hub.setRule(bob, { ...rule, access: { ...access, inbound_from: ["nobody"] } });
  await clock.advanceAsync(1_000);
  await bench.say(id, alice, "do you hear me?");
  expect(await hub.whyWaiting(id)).toMatchObject({
    sentence: `Waiting since ${at(2_000)} for bob, from whom a rule keeps the envelope (recipient 'bob' blocks inbound from 'alice'); 'turn_within' is violated, and 'warn' follows, at ${at(122_000)}.`,
    cause: "delivery_refused",
    awaited: [{ agent_id: bob, name: "bob" }],
  });
  await hub.close();
});

it("an agent that has unregistered is named by its id", async () => {
  // Of a type that lets nobody go.
  const adapters = createDefaultAdapters().map(({ membership: _membership, ...rest }) => rest);
  const { hub, bob, id } = await bobsTurn(adapters);
  await hub.unregister(bob);
  expect(await hub.whyWaiting(id)).toMatchObject({
    cause: "agent_gone",
    awaited: [{ agent_id: bob, name: bob }],
  });
  await hub.close();
});

it("an agent that is connected and has no room has not been handed the envelope", async () => {
  const network = await openWaitingNetwork({ deliveryWindow: 1 });
  const alice = await network.join("alice");
  await network.join("bob", undefined, { maxParallelTurns: 1 });
  const first = await alice.open({ type: "discussion", target: "bob" });
  const second = await alice.open({ type: "discussion", target: "bob" });
  await first.send("this takes all of the window");
  await settle();
  await second.send("this waits");
  await settle();
  const { sentence, cause } = await network.hub.whyWaiting(second.channelId);
  expect(cause).toBe("not_delivered");
  expect(sentence).toMatch(
    /^Waiting since \S+ for bob, who is connected and has not been handed the envelope; /,
  );
  await network.end();
});

it("an agent that has ended its turn in silence is still expected", async () => {
  const network = await openWaitingNetwork();
  const alice = await network.join("alice");
  await network.join("bob", undefined, { onEnvelope: acceptOnly });
  const channel = await alice.open({ type: "discussion", target: "bob" });
  await channel.send("what do you say?");
  await settle();
  expect(await network.hub.whyWaiting(channel.channelId)).toMatchObject({
    sentence: `Waiting since ${at(0)} for bob to answer, who has not taken the turn up; 'turn_within' is violated, and 'warn' follows, at ${at(120_000)}.`,
    cause: "turn_expected",
  });
  await network.end();
});

it("a stranger is told nothing, not even that there is such a channel", async () => {
  const network = await openWaitingNetwork();
  const alice = await network.join("alice");
  await network.join("bob");
  const stranger = network.connect();
  await stranger.registerHuman({ name: "mallory" });
  const channel = await alice.open({ type: "conversation", target: "bob" });
  const asked = stranger.whyWaiting(channel.channelId);
  await expect(asked).rejects.toThrow("channel not found");
  await expect(stranger.whyWaiting("nowhere")).rejects.toThrow("channel not found");
  await network.end();
});

it("the page lists every cause in the order in which they count", () => {
  const page = readText("docs/why-waiting.md");
  const rows = [...page.matchAll(/^\| \d+ \| `(\w+)` \|/gm)].map(([, cause]) => cause);
  expect(rows).toEqual(WAITING_CAUSES);
});
