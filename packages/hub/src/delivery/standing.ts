import { parseTimestamp } from "@colloquy/protocol";
import type { Board } from "./board.js";
import type { Standing } from "./envelope-standing.js";
import { findEntry, isSettled, type Ledger } from "./ledger.js";
import type { LineFacts } from "./line-facts.js";
import { type Outstanding, redeliveryDelay } from "./outstanding.js";
import { lineOf } from "./recent-releases.js";
import { isRemote } from "./remote-link.js";

/** How an envelope stands with an agent; null when nothing is known of it any more. */
export function standingOf(
  board: Board,
  agentId: string,
  channelId: string,
  envelopeId: string,
): Standing | null {
  const ledger = board.books.get(channelId)?.ledgers.get(agentId);
  const entry = ledger === undefined ? undefined : findEntry(ledger, envelopeId);
  if (ledger !== undefined && entry !== undefined) return outstandingStanding(board, ledger, entry);
  const letter = board.letters.get(agentId, envelopeId)?.letter;
  const release = board.recent.get(envelopeId);
  const isKept = release?.channelId === channelId && release.recipients.includes(agentId);
  if (release === undefined || !isKept) {
    if (letter === undefined) return null;
    const at = parseTimestamp(letter.died_at) ?? 0;
    return {
      ...{ agentId, envelopeId, position: letter.position, state: "dead", since: at },
      ...{ queuedAt: at, attempt: letter.attempts, reason: letter.reason, retryAt: null },
    };
  }
  const { position, releasedAt: queuedAt } = release;
  const line = lineOf(release, agentId);
  if (ledger !== undefined && !ledger.loaded && !isSettled(ledger, position)) {
    const since = queuedAt;
    return {
      ...{ agentId, envelopeId, position, state: "unsent", since, queuedAt },
      ...{ attempt: line?.attempt ?? 0, reason: "", retryAt: null },
    };
  }
  const since = line === undefined ? queuedAt : endedAt(line, queuedAt);
  const [state, reason] = [endOf(line), line?.reason ?? ""];
  return {
    ...{ agentId, envelopeId, position, state, since, queuedAt, reason },
    ...{ attempt: line?.attempt ?? 0, retryAt: null },
  };
}

/** The oldest substantive envelope of a channel that each agent has outstanding and not answered, oldest first. */
export function oldestOutstanding(board: Board, channelId: string): Standing[] {
  const found: Standing[] = [];
  for (const ledger of board.books.get(channelId)?.ledgers.values() ?? []) {
    const entry = ledger.entries.find(
      ({ substantive, envelopeId }) => substantive && !isAnswered(board, ledger, envelopeId),
    );
    if (entry !== undefined) found.push(outstandingStanding(board, ledger, entry));
  }
  return found.sort((a, b) => a.position - b.position || (a.agentId < b.agentId ? -1 : 1));
}

function isAnswered(board: Board, { agentId }: Ledger, envelopeId: string): boolean {
  const release = board.recent.get(envelopeId);
  return release !== undefined && (lineOf(release, agentId)?.answeredAt ?? 0) > 0;
}

function outstandingStanding(board: Board, { agentId }: Ledger, entry: Outstanding): Standing {
  const { envelopeId, position, queuedAt, attempt, reason } = entry;
  const state = stateOf(board, agentId, entry);
  const retryAt =
    state === "delayed"
      ? entry.failedAt + redeliveryDelay(board.context.limits, entry.refusals)
      : null;
  const since = {
    ...{ unsent: queuedAt, sent: entry.sentAt, taken_up: entry.takenUpAt },
    ...{ delayed: entry.failedAt, failed: entry.failedAt },
  }[state];
  return { agentId, envelopeId, position, state, since, queuedAt, attempt, reason, retryAt };
}

function stateOf(
  board: Board,
  agentId: string,
  { state, failedAt, refusals, takenUpAt }: Outstanding,
): "unsent" | "sent" | "taken_up" | "delayed" | "failed" {
  if (state === "waiting") return "delayed";
  if (state !== "sent") return "unsent";
  if (failedAt === 0) return takenUpAt > 0 ? "taken_up" : "sent";
  // What goes to a remote proxy again stays with its link meanwhile.
  const agent = board.context.agents.get(agentId);
  return refusals > 0 && agent !== undefined && isRemote(agent) ? "delayed" : "failed";
}

function endOf(line: LineFacts | undefined): "dead" | "refused" | "failed" | "settled" {
  const state = line?.state ?? "acknowledged";
  if (state === "dead" || state === "expired") return "dead";
  if (state === "failed") return (line?.answeredAt ?? 0) > 0 ? "settled" : "failed";
  return state === "refused" ? "refused" : "settled";
}

function endedAt({ settledAt, failedAt, state }: LineFacts, queuedAt: number): number {
  const at = state === "failed" ? failedAt : settledAt;
  return at === 0 ? queuedAt : at;
}
