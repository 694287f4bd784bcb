import { StoreError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../../../../test/edge/connection-bench.js";

const PATH = "/srv/secret-place/hub.db";

/** A store that names its file wherever it can. */
async function openTalkative() {
  const memory = createMemoryStore();
  const store = faulty({
    ...memory,
    health: () => ({
      ...memory.health(),
      reason: `committing to the store ${PATH} failed`,
      details: { path: PATH },
    }),
  });
  const bench = await openConnectionBench({ store });
  bench.acceptInvitations();
  const a = await bench.join("a");
  const b = await bench.join("b");
  const channel = await bench.open("conversation", a.id, b.id);
  return { bench, store, a, b, channel };
}

describe("what a peer learns of the hub's machine", () => {
  it("is no path of a store that fails, neither in words nor in details", async () => {
    const { bench, store, a, channel } = await openTalkative();
    store.failNext("commit", 1, () => {
      const details = { path: PATH, sqlite_code: "SQLITE_FULL", retryable: true, outcome: "none" };
      return new StoreError(`committing to the store ${PATH} failed: no space`, { details });
    });
    const answer = await a.request("post", textOf(channel, a.id));
    await settle();
    expect(answer).toMatchObject({ ok: false, error_code: "store_failed" });
    expect(answer.error_message).not.toBe("");
    const frame = a.peer.frames.at(-1);
    expect(frame).toMatchObject({ error_details: { retryable: true, outcome: "none" } });
    expect(JSON.stringify(frame)).not.toMatch(/secret-place|SQLITE/);
    expect(JSON.stringify(bench.logger.at("error"))).toContain("secret-place");
  });

  it("is no path in the hub's figures", async () => {
    const { a } = await openTalkative();
    const figures = await a.call("health");
    expect(figures).toMatchObject({ registered_agents: 2, store: { healthy: true } });
    expect(JSON.stringify(figures)).not.toContain("secret-place");
  });
});
