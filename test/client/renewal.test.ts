import { createHubClient, createLocalLink, createScriptedAgent } from "@colloquy/client";
import { createNoAuth, type Hub, openHub } from "@colloquy/hub";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";

const HOUR = 3_600_000;

async function open() {
  const clock = createFakeClock();
  const bound: string[] = [];
  const hub: Hub = await openHub({
    store: createMemoryStore(),
    clock,
    authenticators: [createNoAuth()],
    listeners: [{ onAgentEvent: (_id, kind) => void bound.push(kind) }],
  });
  const client = createHubClient({
    link: createLocalLink(hub),
    // Each time a fresh key of an hour.
    credentials: async (name) => ({ token: (await hub.keys.issue({ name, ttlMs: HOUR })).secret }),
    random: () => 0,
  });
  const passport = { auth: { scheme: "api_key" } };
  const agent = await client.register(createScriptedAgent("ada"), {
    passport,
  });
  return { clock, hub, client, agent, bound };
}

describe("a client that can get credentials", () => {
  it("renews one before it ends, so that the binding goes on", async () => {
    const { clock, hub, client, agent, bound } = await open();
    for (let hour = 1; hour <= 3; hour += 1) {
      clock.advance(HOUR - 60_000);
      await until(() => hub.keys.list("ada").length === hour + 1 || undefined);
      // What answers after the renewal comes after it.
      await client.getAgent("ada");
    }
    expect(bound.filter((kind) => kind === "unbound")).toEqual([]);
    expect(agent.status).toBe("active");
    const handles = await client.handlesFor([agent.agentId, "nobody"]);
    expect(handles).toEqual({ [agent.agentId]: hub.handleFor(agent.agentId) });
    await hub.close();
  });

  it("comes back with another one when the first was revoked", async () => {
    const { hub, agent, bound } = await open();
    await hub.keys.revoke(hub.keys.list("ada")[0]?.key_id ?? "");
    expect(bound.filter((kind) => kind === "unbound")).toHaveLength(1);
    await until(() => bound.filter((kind) => kind === "bound").length === 2 || undefined);
    expect(agent.status).toBe("active");
    await hub.close();
  });

  it("binds one agent anew where others share its connection", async () => {
    const { hub, client, agent, bound } = await open();
    await client.register(createScriptedAgent("bob"));
    const endpoint = client.endpointId;
    await hub.keys.revoke(hub.keys.list("ada")[0]?.key_id ?? "");
    await until(() => bound.filter((kind) => kind === "bound").length === 3 || undefined);
    expect(client.endpointId === endpoint || endpoint === "").toBe(true);
    expect(agent.status).toBe("active");
    await hub.close();
  });
});
