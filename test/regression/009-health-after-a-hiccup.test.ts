import { EV_CHANNEL_OPENED } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench } from "../edge/connection-bench.js";

it("a hub is well again when its store has taken anything, receipts too", async () => {
  const store = faulty(createMemoryStore());
  const bench = await openConnectionBench({ store });
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  await bench.open("conversation", a.id, b.id);
  const opened = await until(() =>
    b.peer.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_OPENED),
  );
  await bench.clock.advanceAsync(1_000);
  store.failNext("commit");
  expect(await a.request("set_skill", { agent_id: a.id, skill_md: "x" })).toMatchObject({
    error_code: "store_failed",
  });
  expect(bench.hub.health().status).toBe("degraded");
  b.ack(b.id, opened.envelope);
  await bench.clock.advanceAsync(5_000);
  expect(bench.hub.health().status).toBe("ok");
});
