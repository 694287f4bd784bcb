import { EV_CHANNEL_INVITE, EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";

describe("what a failed commit has written after all", () => {
  it("comes before what is said later, to agents that registered on their connection", async () => {
    const store = faulty(createMemoryStore());
    const bench = await openConnectionBench({ store });
    bench.acceptInvitations();
    const a = await bench.join("a");
    const b = await bench.join("b");
    const channel = await bench.open("conversation", a.id, b.id);
    store.tearNext("written");
    const torn = textOf(channel, a.id, { event_data: { text: "torn" } });
    expect(await a.request("post", torn)).toMatchObject({ error_code: "store_failed" });
    await settle();
    await a.call("post", textOf(channel, a.id, { event_data: { text: "later" } }));
    const texts = () =>
      b.peer.notifies
        .filter(({ envelope }) => envelope.event_type === EV_TEXT)
        .map(({ envelope }) => envelope.event_data["text"]);
    await until(() => texts().length > 1);
    expect(texts()).toEqual(["torn", "later"]);
  });

  it("is delivered when it is a channel's beginning", async () => {
    const store = faulty(createMemoryStore());
    const bench = await openConnectionBench({ store });
    const a = await bench.join("a");
    const b = await bench.join("b");
    store.tearNext("written");
    const opening = { creator_id: a.id, manifest_type: "conversation", participants: [b.id] };
    expect(await a.request("create_channel", opening)).toMatchObject({ ok: false });
    const invited = await until(() =>
      b.peer.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE),
    );
    expect(invited.position).toBe(1);
  });

  it("stays away from whoever asked for nothing old", async () => {
    const memory = createMemoryStore();
    const first = await openConnectionBench({ store: memory });
    const a = await first.join("a");
    const b = await first.join("b");
    b.drop();
    void first.open("conversation", a.id, b.id).catch(() => undefined);
    await settle();
    memory.crash();

    const second = await openConnectionBench({ store: memory.reopen() });
    const again = second.connect();
    expect(await again.hello("b")).toMatchObject({ kind: "welcome" });
    await settle();
    expect(again.peer.notifies).toEqual([]);
    expect(await again.hello("b", { since_envelope_id: "" })).toMatchObject({ kind: "welcome" });
    const invited = await until(() => again.peer.notifies[0]);
    expect(invited.envelope.event_type).toBe(EV_CHANNEL_INVITE);
  });
});
