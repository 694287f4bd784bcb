import type { LinkAcceptor } from "@colloquy/protocol";
import type { Agent } from "./agent/agent.js";
import type { AgentClient } from "./agent/agent-client.js";
import { createHubClient } from "./create-hub-client.js";
import type { AgentSettings } from "./host/settings.js";
import type { HubClientOptions } from "./hub-client.js";
import { createLocalLink } from "./link/local-link.js";
import { extend } from "./participant/extend.js";

/**
 * Registers an agent on a hub in this process, with a hub client of its own.
 *
 * The hub client ends with the agent, however that stops, and with the hub.
 *
 * @param hub - the hub, or anything else that takes connections
 */
export async function registerDirect(
  hub: LinkAcceptor,
  agent: Agent,
  settings: AgentSettings & Omit<HubClientOptions, "link" | "reconnect"> = {},
): Promise<AgentClient> {
  const hubClient = createHubClient({ ...settings, link: createLocalLink(hub), reconnect: false });
  try {
    const client = await hubClient.register(agent, settings);
    void client.stopped.then(() => hubClient.close());
    return extend(client, {
      async close() {
        await client.unregister();
        await hubClient.close();
      },
    });
  } catch (error) {
    await hubClient.close();
    throw error;
  }
}
