import { isId, isNetworkError, type Passport } from "@colloquy/protocol";
import type { NetworkHub } from "./network-port.js";

/** Models that know functions by a namespace put it before other names too. */
const NAMESPACE = "functions.";

/** The passport behind a name or id; null when nobody has it. Other failures reject. */
export async function resolvePeer(hub: NetworkHub, nameOrId: string): Promise<Passport | null> {
  const found = await findPeer(hub, nameOrId);
  if (found !== null || !nameOrId.startsWith(NAMESPACE)) return found;
  return findPeer(hub, nameOrId.slice(NAMESPACE.length));
}

/** {@link resolvePeer}, giving only the id. */
export async function resolvePeerId(hub: NetworkHub, nameOrId: string): Promise<string | null> {
  const passport = await resolvePeer(hub, nameOrId);
  return passport?.agent_id ?? (passport !== null && isId(nameOrId) ? nameOrId : null);
}

async function findPeer(hub: NetworkHub, nameOrId: string): Promise<Passport | null> {
  try {
    return await hub.getAgent(nameOrId);
  } catch (error) {
    if (isNetworkError(error) && error.code === "not_found") return null;
    throw error;
  }
}
