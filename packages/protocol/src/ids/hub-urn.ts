const PREFIX = "hub://";

/** A hub and an agent on it. */
export interface HubUrn {
  readonly hub_id: string | null;
  readonly agent_id: string;
}

/**
 * Splits `hub://<hub_id>/<agent_id>`. Anything else comes back whole as the agent id, with no hub.
 */
export function parseHubUrn(text: string): HubUrn {
  const plain: HubUrn = { hub_id: null, agent_id: text };
  if (!text.startsWith(PREFIX)) return plain;
  const slash = text.indexOf("/", PREFIX.length);
  if (slash < 0) return plain;
  const hubId = text.slice(PREFIX.length, slash);
  const agentId = text.slice(slash + 1);
  return hubId === "" || agentId === "" ? plain : { hub_id: hubId, agent_id: agentId };
}
