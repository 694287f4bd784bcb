import type { Envelope } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "../registry/agent-table.js";

/** Whom an envelope reaches. */
export interface ResolvedAudience {
  /** As it goes into the WAL: members only, each once; null for everybody. */
  readonly audience: string[] | null;
  /** Registered members to notify, never the sender. */
  readonly recipients: readonly AgentEntry[];
  readonly notes: readonly string[];
}

const NO_NOTES: string[] = [];

/**
 * Works out who is meant. The arbiter says whom ids stand for that nobody has, by default nobody; a
 * registered agent that takes no part in the channel, or is hidden in it, is left out with a note for
 * the sender.
 *
 * @throws what the arbiter refuses with
 */
export function resolveAudience(
  context: Pick<HubContext, "agents" | "arbiter">,
  live: LiveChannel,
  envelope: Envelope,
  sender: AgentEntry,
): ResolvedAudience {
  const { audience } = envelope;
  const notes: string[] = audience === null ? NO_NOTES : [];
  const members = audience === null ? null : membersOf(context, live, { envelope, sender }, notes);
  const recipients: AgentEntry[] = [];
  for (const id of members ?? live.addressed) {
    const entry = id === sender.id ? undefined : context.agents.get(id);
    if (entry !== undefined) recipients.push(entry);
  }
  return { audience: members, recipients, notes };
}

function membersOf(
  context: Pick<HubContext, "agents" | "arbiter">,
  live: LiveChannel,
  post: { readonly envelope: Envelope; readonly sender: AgentEntry },
  notes: string[],
): string[] {
  const members = new Set<string>();
  const unknown: string[] = [];
  for (const id of new Set(post.envelope.audience)) {
    if (live.addressed.has(id)) members.add(id);
    else if (live.participants.has(id)) notes.push(hidden(id));
    else if (context.agents.get(id) === undefined) unknown.push(id);
    else notes.push(leftOut(id));
  }
  if (unknown.length === 0) return [...members];
  const verdict = context.arbiter.resolveUnknownAudience({
    ...post,
    unknown,
    channel: live.metadata,
  });
  decide(verdict);
  for (const id of verdict.allow ? verdict.audience : []) {
    if (live.addressed.has(id)) members.add(id);
    else if (live.participants.has(id)) notes.push(hidden(id));
    else notes.push(leftOut(id));
  }
  return [...members];
}

function leftOut(id: string): string {
  return `audience member ${quote(id)} takes no part in this channel and was left out`;
}

function hidden(id: string): string {
  return `audience member ${quote(id)} is hidden in this channel and was left out`;
}
