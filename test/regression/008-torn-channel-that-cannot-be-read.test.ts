import { EV_CHANNEL_INVITE } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench } from "../edge/connection-bench.js";

it("what a failed commit has written is delivered once the store can be read again", async () => {
  const store = faulty(createMemoryStore());
  const bench = await openConnectionBench({ store });
  const a = await bench.join("a");
  const b = await bench.join("b");
  store.tearNext("written");
  store.failNext("readChannel", 3);
  const opening = { creator_id: a.id, manifest_type: "conversation", participants: [b.id] };
  expect(await a.request("create_channel", opening)).toMatchObject({ error_code: "store_failed" });
  await settle();
  expect(b.peer.notifies).toEqual([]);
  await bench.clock.advanceAsync(10_000);
  expect(b.peer.notifies.map(({ envelope }) => envelope.event_type)).toEqual([EV_CHANNEL_INVITE]);
  await bench.hub.close();
  await bench.clock.advanceAsync(10_000);
  expect(bench.clock.pendingTimers).toBe(0);
});
