import { usageError } from "../errors/cli-error.js";
import { dialAsOperator } from "./ask-hub.js";
import type { KeyKeeper } from "./key-keeper.js";

const SECOND = 1_000;

/**
 * The keys of a running hub, asked for as an operator.
 *
 * @param token - an operator's API key, from `COLLOQUY_TOKEN`
 * @throws CliError without a token, or when the hub cannot be reached
 */
export async function openHubKeys(url: string, token: string | undefined): Promise<KeyKeeper> {
  if (token === undefined || token === "") {
    throw usageError(
      "--hub needs an operator's key in COLLOQUY_TOKEN, and it is not set.",
      "Issue one while the hub is down: `colloquy keys add --role operator --name <name>`.",
    );
  }
  const hub = await dialAsOperator(url, token);
  return {
    issue: ({ ttlMs, agents, ...input }) =>
      hub.ask("issue_key", {
        ...input,
        agents: agents === undefined ? null : [...agents],
        ttl_seconds: secondsOf(ttlMs),
      }),
    rotate: (key_id, { overlapMs, ttlMs }) =>
      hub.ask("rotate_key", {
        key_id,
        overlap_seconds: overlapMs === undefined ? null : overlapMs / SECOND,
        ttl_seconds: secondsOf(ttlMs),
      }),
    revoke: (key_id) => hub.ask("revoke_key", { key_id }),
    list: (name) => hub.ask("list_keys", { name }),
    close: async () => hub.close(),
  };
}

function secondsOf(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / SECOND;
}
