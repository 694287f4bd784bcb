import { EV_CHANNEL_CLOSED, EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";

it("what could not be read of an ended channel comes without another reconnect", async () => {
  const memory = createMemoryStore();
  const first = await openConnectionBench({ store: memory });
  first.acceptInvitations();
  const a = await first.join("a");
  const b = await first.join("b");
  const channel = await first.open("conversation", a.id, b.id);
  b.drop();
  await a.call("post", textOf(channel, a.id));
  await first.hub.closeChannel(channel);
  memory.crash();

  const store = faulty(memory.reopen());
  const second = await openConnectionBench({ store });
  store.failNext("readWal", 2);
  const back = second.connect();
  await back.hello("b", { since_envelope_id: "" });
  await settle();
  expect(back.peer.notifies).toEqual([]);
  await second.clock.advanceAsync(10_000);
  const types = back.peer.notifies.map(({ envelope }) => envelope.event_type);
  expect(types.slice(-2)).toEqual([EV_TEXT, EV_CHANNEL_CLOSED]);
  expect(new Set(back.peer.notifies.map(({ position }) => position)).size).toBe(types.length);

  back.drop();
  await second.clock.advanceAsync(10_000);
  expect(back.peer.notifies).toHaveLength(types.length);
});
