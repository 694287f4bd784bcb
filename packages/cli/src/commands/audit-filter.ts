import { type AuditMatch, formatTimestamp, type Store } from "@colloquy/protocol";
import type { Command } from "commander";
import { findAgent, readAgents } from "../data/agent-directory.js";
import { findChannel } from "../data/find-channel.js";
import { gather, parseSince } from "./parse-options.js";
import type { ReadingOptions } from "./reading-command.js";

/** Options that say which audit records are meant. */
export interface AuditFilterOptions extends ReadingOptions {
  readonly kind?: readonly string[] | undefined;
  readonly agent?: string | undefined;
  readonly channel?: string | undefined;
  readonly refusal?: string | undefined;
  readonly key?: string | undefined;
  readonly since?: ((nowMs: number) => number) | undefined;
  readonly until?: ((nowMs: number) => number) | undefined;
}

/** Adds them to a command. */
export function addAuditFilterOptions(command: Command): Command {
  return command
    .option("--kind <kind>", "only records of this kind; may be repeated", gather)
    .option("--agent <agent>", "only those about an agent, by name or id")
    .option("--channel <channel>", "only those about a channel")
    .option("--refusal <id>", "the refusal that an error named (refusal_id)")
    .option("--key <key>", "only refusals of posts with this idempotency key")
    .option("--since <when>", "from a time on, such as 10m or 2026-01-31T08:00:00Z", parseSince)
    .option("--until <when>", "before a time", parseSince);
}

/** Reads the options; agents and channels that are not in the file may be named by their whole id. */
export async function readAuditMatch(
  store: Store,
  options: AuditFilterOptions,
  nowMs: number,
): Promise<AuditMatch> {
  const { kind, agent, channel, refusal, key, since, until } = options;
  return {
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(agent === undefined ? {} : { agent_id: await agentOf(store, agent) }),
    ...(channel === undefined ? {} : { channel_id: await channelOf(store, channel) }),
    ...(refusal === undefined ? {} : { refusal_id: refusal }),
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(since === undefined ? {} : { from: formatTimestamp(since(nowMs)) }),
    ...(until === undefined ? {} : { to: formatTimestamp(until(nowMs)) }),
  };
}

const WHOLE_ID = /^[0-9a-f]{32}$/;

async function agentOf(store: Store, text: string): Promise<string> {
  return WHOLE_ID.test(text) ? text : findAgent(await readAgents(store), text);
}

async function channelOf(store: Store, text: string): Promise<string> {
  return WHOLE_ID.test(text) ? text : (await findChannel(store, text)).channel_id;
}
