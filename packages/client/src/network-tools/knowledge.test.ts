import { createMemoryKnowledge } from "@colloquy/storage-memory";
import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createContextTool } from "./context-tool.js";
import type { NetworkPort } from "./network-port.js";

const call = { signal: new AbortController().signal, callId: "1" };

/** A port of which the tool needs no hub. */
function portWith(knowledge: NetworkPort["knowledge"]): NetworkPort {
  return {
    agentId: "a",
    clock: createFakeClock(),
    channelId: null,
    activeTask: null,
    knowledge,
  } as unknown as NetworkPort;
}

describe("context with scope knowledge", () => {
  it("finds documents of the agent's own store", async () => {
    const knowledge = createMemoryKnowledge();
    await knowledge.put([
      { id: "mill", title: "The mill", text: "It was built in 1790." },
      { id: "canal", title: "The canal", text: "Dug in 1871." },
    ]);
    const tool = createContextTool(portWith(knowledge));
    const args = { action: "search", query: "When was the mill built?", scope: "knowledge" };
    expect(await tool.run({ ...args, limit: 1 }, call)).toEqual([
      {
        id: "mill",
        title: "The mill",
        excerpt: "It was built in 1790.",
        score: expect.any(Number),
      },
    ]);
    expect(await tool.run({ ...args, query: "***" }, call)).toEqual([]);
    expect(await tool.run({ ...args, query: "x".repeat(2_000) }, call)).toMatch(/^Error: .*query/);
  });

  it("says that a store is needed where there is none", async () => {
    const args = { action: "search", query: "mill", scope: "knowledge" };
    expect(await createContextTool(portWith(undefined)).run(args, call)).toBe(
      "Error: search scope=knowledge needs a knowledge store",
    );
  });
});
