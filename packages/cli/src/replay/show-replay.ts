import type { ChannelMetadata, ExpectedTurn, ViewSpec } from "@colloquy/protocol";
import type { AgentDirectory } from "../data/agent-directory.js";
import { escapeText, toSafeJson } from "../output/escape-text.js";
import type { Output } from "../output/output.js";
import type { Replayed } from "./fold-to.js";
import { contentLines, messageLines } from "./message-lines.js";
import type { ProjectedTurn } from "./project-turn.js";

/** What a replay found. */
export interface ReplayResult {
  readonly channel: ChannelMetadata;
  /** Newest position of the channel. */
  readonly head: number;
  readonly replayed: Replayed;
  /** Whose turn it is at the position; null for nobody's. */
  readonly next: ExpectedTurn | null;
  readonly agents: AgentDirectory;
  /** What one participant's model would get; null when only the state was asked for. */
  readonly turn: (ProjectedTurn & { readonly agentId: string; readonly spec: ViewSpec }) | null;
}

/** Prints a replay, as one JSON value or for people. */
export async function showReplay(output: Output, result: ReplayResult): Promise<void> {
  if (output.json) return await output.value(toValue(result));
  const { styles } = output;
  await output.lines(...summaryLines(output, result));
  const { turn, replayed } = result;
  if (turn === null) {
    await output.lines("", toSafeJson(replayed.state, 2));
    return;
  }
  for (const message of turn.messages) await output.lines("", ...messageLines(message, styles));
  if (turn.messages.length === 0) await output.lines("", styles.faint("(no history)"));
  if (turn.input === null) return;
  await output.lines("", styles.strong("input"), ...contentLines(turn.input));
}

function summaryLines({ styles }: Output, result: ReplayResult): string[] {
  const { channel, head, replayed, next, agents, turn } = result;
  const nameOf = (id: string): string => escapeText(agents.nameOf(id));
  const stretch =
    replayed.position === 0
      ? "nothing (no envelope)"
      : `positions 1 to ${replayed.position} of ${head}`;
  const lines = [
    `channel   ${escapeText(channel.channel_id)} (${escapeText(channel.manifest.type)})`,
    `replayed  ${stretch}; nothing was sent or written`,
    `next      ${next === null ? "nobody" : nameOf(next.agent_id)}`,
  ];
  if (replayed.snapshot !== null) {
    const { position, matches } = replayed.snapshot;
    const verdict = matches ? styles.good("is the same") : styles.bad("DIFFERS");
    lines.push(`snapshot  of position ${position} ${verdict}`);
  }
  if (turn !== null) {
    lines.push(`view      ${escapeText(turn.spec.name)} as ${nameOf(turn.agentId)}`);
  }
  return lines;
}

function toValue({ channel, head, replayed, next, turn }: ReplayResult): unknown {
  return {
    channel_id: channel.channel_id,
    replayed: { from: Math.min(1, replayed.position), to: replayed.position },
    head,
    next,
    snapshot: replayed.snapshot,
    ...(turn === null
      ? { state: replayed.state }
      : {
          agent_id: turn.agentId,
          view: turn.spec,
          messages: turn.messages,
          input: turn.input,
        }),
  };
}
