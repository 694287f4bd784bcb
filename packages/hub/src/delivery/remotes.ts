import type { RemoteProxy } from "@colloquy/protocol";
import { unbindAgent } from "./bindings.js";
import type { Board } from "./board.js";
import { isRemote, reachRemote } from "./remote-link.js";

/**
 * Takes a proxy for its scheme in use, in place of an earlier one, which is closed. What is
 * outstanding for participants of that scheme goes out.
 *
 * @throws TypeError for what is no proxy
 */
export function registerRemoteProxy(board: Board, proxy: RemoteProxy): void {
  const replaced = board.remotes.put(proxy);
  if (replaced !== null) void endProxy(board, replaced);
  for (const agent of board.context.agents.all()) {
    const inbox = board.inboxes.get(agent.id);
    if (inbox === undefined || agent.passport.auth.scheme !== proxy.scheme) continue;
    if (inbox.active.size > 0) reachRemote(board, inbox, agent);
  }
}

/** Takes the proxy of a scheme out of use and closes it; false when there is none. */
export function unregisterRemoteProxy(board: Board, scheme: string): boolean {
  const removed = board.remotes.remove(scheme);
  if (removed !== null) void endProxy(board, removed);
  return removed !== null;
}

/** Closes every proxy. */
export async function closeRemoteProxies(board: Board): Promise<void> {
  const proxies = [...board.remotes.all];
  for (const { scheme } of proxies) board.remotes.remove(scheme);
  await Promise.all(proxies.map((proxy) => endProxy(board, proxy)));
}

/** Unties who was tied to it: what was under way is outstanding. Then it is closed. */
async function endProxy(board: Board, proxy: RemoteProxy): Promise<void> {
  for (const agent of board.context.agents.all()) {
    if (agent.passport.auth.scheme === proxy.scheme && isRemote(agent)) {
      unbindAgent(board, agent.id);
    }
  }
  try {
    await proxy.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    board.context.logger.warn({ scheme: proxy.scheme, reason }, "a remote proxy failed to close");
  }
}
