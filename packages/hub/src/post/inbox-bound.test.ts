import { createDefaultAdapters } from "@colloquy/adapters";
import { InboxFullError, StoreError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openPair(maxPending: number) {
  const store = faulty(createMemoryStore());
  const clock = createFakeClock();
  const adapters = createDefaultAdapters();
  const { hub, context } = await assembleHub({ store, clock, ids: createFakeIds(), adapters });
  const bench = { hub, context, store, ...createHubBench(hub) };
  const a = await bench.join("a");
  const rule = { limits: { inbox: { max_pending: maxPending } } };
  const b = await bench.join("b", { rule });
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  return { ...bench, a, b, id };
}

describe("the bound of an inbox", () => {
  it("holds for posts that share a commit", async () => {
    const { context, say, texts, a, b, id } = await openPair(2);
    const posts = ["1", "2", "3", "4"].map((text) => say(id, a, text));
    const outcomes = await Promise.allSettled(posts);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    await expect(posts[2]).rejects.toThrow(InboxFullError);
    expect(context.delivery.pending(b)).toBe(2);
    expect(await texts(id)).toEqual(["1", "2"]);
  });

  it("counts nothing of a commit that failed", async () => {
    const { context, store, say, a, b, id } = await openPair(1);
    store.failNext("commit");
    await expect(say(id, a, "lost")).rejects.toThrow(StoreError);
    await settle();
    await say(id, a, "kept");
    expect(context.delivery.pending(b)).toBe(1);
    await expect(say(id, a, "too many")).rejects.toThrow(InboxFullError);
  });

  it("counts only what fills an inbox", async () => {
    const { say, a, b, id } = await openPair(1);
    const notes = ["1", "2", "3"].map((text) => say(id, b, text));
    const progress = say(id, a, "p", { event_type: "ag2.task.progress" });
    await Promise.all([...notes, progress, say(id, a, "one")]);
    await expect(say(id, a, "two")).rejects.toThrow(InboxFullError);
  });
});
