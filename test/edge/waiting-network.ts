import { createDefaultAdapters } from "@colloquy/adapters";
import {
  type AgentClient,
  type AgentSettings,
  createHubClient,
  createLocalLink,
  createScriptedAgent,
  type HubClient,
} from "@colloquy/client";
import { type HubLimits, openHub } from "@colloquy/hub";
import { formatTimestamp } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, FAKE_START_MS, faulty, settle } from "@colloquy/testkit";

/** A time of the fake clock as sentences show it, in milliseconds from its start. */
export const at = (ms: number): string => formatTimestamp(FAKE_START_MS + ms);

/** A hub with clients on a fake clock, whose store does as it is told. */
export async function openWaitingNetwork(limits: Partial<HubLimits> = {}) {
  const clock = createFakeClock();
  const store = faulty(createMemoryStore(), { clock });
  const adapters = createDefaultAdapters();
  const hub = await openHub({ store, clock, limits, adapters });
  const clients: HubClient[] = [];
  const connections = new Map<string, HubClient>();
  const connect = (): HubClient => {
    const client = createHubClient({ link: createLocalLink(hub), clock });
    clients.push(client);
    return client;
  };
  return {
    clock,
    store,
    hub,
    connect,
    /** An agent on a connection of its own; `script` or a handler decide what it does. */
    async join(
      name: string,
      script: Parameters<typeof createScriptedAgent>[1] = () =>
        new Promise<string>(() => undefined),
      settings: AgentSettings = {},
    ): Promise<AgentClient> {
      const client = connect();
      const agent = await client.register(createScriptedAgent(name, script), settings);
      connections.set(agent.agentId, client);
      return agent;
    },
    /** Ends an agent's connection. */
    leave: ({ agentId }: AgentClient): void => void connections.get(agentId)?.close(),
    why: (channelId: string) => hub.whyWaiting(channelId),
    async end(): Promise<void> {
      store.heal();
      for (const client of clients) void client.close();
      await settle();
      await hub.close();
    },
  };
}
