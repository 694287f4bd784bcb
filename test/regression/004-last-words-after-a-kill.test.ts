import { EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../edge/connection-bench.js";

describe("a channel's last words", () => {
  it("reach a member that got nothing else of it, when the hub is killed behind them", async () => {
    const memory = createMemoryStore();
    const first = await openConnectionBench({ store: memory });
    const a = await first.join("a");
    const b = await first.join("b");
    const opening = first.open("conversation", a.id, b.id);
    const failed = expect(opening).rejects.toThrow("closed during handshake");
    const { channel_id } = await until(async () => (await first.hub.listChannels())[0]);
    await first.hub.closeChannel(channel_id, "never mind");
    await failed;
    memory.crash();

    const second = await openConnectionBench({ store: memory.reopen() });
    const back = second.connect();
    await back.hello("a", { since_envelope_id: "" });
    const last = await until(() => back.peer.notifies[0]);
    expect(last.envelope.event_type).toBe(EV_CHANNEL_CLOSED);
    expect(back.peer.notifies).toHaveLength(1);
  });

  it("reach everybody when the store takes nothing but what it must", async () => {
    const memory = createMemoryStore();
    const store = faulty(memory);
    const first = await openConnectionBench({ store });
    first.acceptInvitations();
    const a = await first.join("a");
    const b = await first.join("b");
    store.failNext("commit");
    await expect(first.hub.setSkill(a.id, "none")).rejects.toThrow();
    const channel = await first.open("conversation", a.id, b.id);
    await first.hub.closeChannel(channel);
    await settle();
    memory.crash();

    const second = await openConnectionBench({ store: memory.reopen() });
    for (const name of ["a", "b"]) {
      const back = second.connect();
      await back.hello(name, { since_envelope_id: "" });
      await until(() =>
        back.peer.notifies.some(({ envelope }) => envelope.event_type === EV_CHANNEL_CLOSED),
      );
    }
    expect(second.hub.health().active_channels).toBe(0);
  });
});
