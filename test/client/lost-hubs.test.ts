import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type AgentClient,
  createHubClient,
  createScriptedAgent,
  type HubClient,
} from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { createMemoryStore } from "@colloquy/storage-memory";
import { makeTempFolder, until } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { startProgram } from "../store/start-program.js";
import { startRelay } from "./relay.js";

/** Milliseconds between two beats. */
const BEAT_MS = 200;
/** A process takes its time to start. */
const SLOW = { timeoutMs: 15_000 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function clientOf(url: string, heartbeatMs?: number): HubClient {
  const client = createHubClient({
    link: createNodeLink(url),
    heartbeatMs,
    reconnect: { baseMs: 50, maxMs: 500 },
  });
  ends.push(() => client.close());
  return client;
}

describe("a hub that is lost", () => {
  it("F-060 five agents come back to a hub that was killed, and their channels go on", async () => {
    const folder = makeTempFolder();
    ends.push(() => folder[Symbol.dispose]());
    const path = folder.at("hub.db");
    const first = startProgram("../client/serve-hub", path);
    ends.push(() => first.kill());
    const port = (await first.line("listening")).split(" ")[1] ?? "";
    const url = `ws://127.0.0.1:${port}`;

    const names = ["ada", "bob", "cyd", "dan", "eve"];
    const agents: AgentClient[] = [];
    const log: string[] = [];
    for (const name of names) {
      const echo = createScriptedAgent(name, ({ input }) =>
        String(input).startsWith("go") ? `${name} heard ${String(input)}` : null,
      );
      agents.push(await clientOf(url).register(echo));
    }
    const ids = agents.map(({ agentId }) => agentId);
    const [ada, bob] = agents;
    if (ada === undefined || bob === undefined) throw new Error("five agents are registered");
    const pair = await ada.open({ type: "conversation", target: "bob" });
    const group = await bob.open({ type: "conversation", target: "cyd" });
    const last = await agents[3]?.open({ type: "conversation", target: "eve" });
    if (last === undefined) throw new Error("five agents are registered");
    for (const agent of agents) void agent.hub.closed.then(() => log.push(`${agent.name} closed`));

    await first.kill();
    const second = startProgram("../client/serve-hub", path, port);
    ends.push(() => second.kill());
    await second.line("listening");
    await Promise.all([pair, group, last].map((channel) => channel.send("go on")));
    await until(async () => {
      const logs = await Promise.all(
        [pair, group, last].map(({ channelId }, index) =>
          (agents[index === 2 ? 3 : index] ?? ada).hub.readWal(channelId),
        ),
      );
      return logs.every((wal) => JSON.stringify(wal).includes("heard go on"));
    }, SLOW);

    expect(log).toEqual([]);
    expect(agents.map(({ status }) => status)).toEqual(names.map(() => "active"));
    const listed = await ada.hub.listAgents();
    expect(listed.map(({ name }) => name)).toEqual(names);
    expect(listed.map(({ agent_id }) => agent_id)).toEqual(ids);
    const metadata = await pair.info();
    expect(metadata.participants.map(({ agent_id }) => agent_id)).toEqual(ids.slice(0, 2));
  }, 30_000);

  it("F-053 a network that vanishes is noticed by both sides within about two beats", async () => {
    const hub = await openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });
    ends.push(() => hub.close());
    const server = await serveWebSocket(hub, { heartbeatMs: BEAT_MS });
    ends.push(() => server.stop());
    const relay = await startRelay(server.url);
    ends.push(() => relay.stop());
    const agentEvents: string[] = [];
    hub.addListener({ onAgentEvent: (_id, kind) => agentEvents.push(kind) });

    const client = clientOf(relay.url, BEAT_MS);
    const hugo = await client.registerHuman({ name: "hugo" });
    const ada = await clientOf(server.url).registerHuman({ name: "ada" });
    const { channelId } = await ada.open({ type: "conversation", target: "hugo" });
    await until(() => hub.health().pending_inbox_total === 0);

    relay.freeze();
    const frozenAt = performance.now();
    const states: string[] = [];
    const following = (async () => {
      for await (const { state } of client.status()) states.push(state);
    })();
    await ada.say(channelId, "are you there?");
    await until(() => agentEvents.includes("unbound"));
    await until(() => states.includes("reconnecting"));
    expect(performance.now() - frozenAt).toBeLessThan(BEAT_MS * 6);
    expect(hub.health().pending_inbox_total).toBe(1);
    expect(hugo.status).toBe("active");

    relay.thaw();
    const found = await hugo.nextEnvelope(
      ({ event_data }) => event_data["text"] === "are you there?",
      15_000,
    );
    expect(found.channel_id).toBe(channelId);
    await until(() => hub.health().pending_inbox_total === 0);
    await client.close();
    await following;
  }, 30_000);
});
