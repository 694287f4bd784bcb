import { createDefaultAdapters } from "@colloquy/adapters";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(store = createMemoryStore()) {
  const adapters = createDefaultAdapters();
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({ store, clock, ids: createFakeIds(), adapters });
  return { hub, context, store, ...createHubBench(hub) };
}

describe("an envelope whose audience names its sender", () => {
  it("is not delivered to the sender, before a restart or after it", async () => {
    const { store, context, say, open, join } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const { channel_id: id } = await open("conversation", a, [b]);
    await say(id, a, "for both", { audience: [a, b] });
    expect([context.delivery.pending(a), context.delivery.pending(b)]).toEqual([0, 1]);
    store.crash();
    const next = await openBench(store.reopen());
    const { delivery } = next.context;
    expect([delivery.pending(a), delivery.pending(b)]).toEqual([0, 1]);
  });
});
