import { EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench } from "../edge/connection-bench.js";

it("a channel's end whose commit failed after it was written reaches everybody", async () => {
  const store = faulty(createMemoryStore());
  const bench = await openConnectionBench({ store });
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  const channel = await bench.open("conversation", a.id, b.id);
  store.tearNext("written");
  expect(await a.request("close_channel", { channel_id: channel })).toMatchObject({
    ok: false,
    error_code: "store_failed",
  });
  const wal = await bench.hub.readWal(channel);
  expect(wal.at(-1)?.event_type).toBe(EV_CHANNEL_CLOSED);
  for (const { peer } of [a, b]) {
    const last = await until(() =>
      peer.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_CLOSED),
    );
    expect(last.position).toBe(wal.length);
  }
});
