import { type Envelope, logFieldsOf } from "@colloquy/protocol";
import type { AgentEntry } from "../registry/agent-table.js";
import type { Board } from "./board.js";

/**
 * Asks the arbiter whether a recipient is to get an envelope. A sender is never kept from its own,
 * and one that has unregistered is not asked about.
 *
 * @returns null for yes, or why not
 */
export function judgeDispatch(
  board: Board,
  envelope: Envelope,
  recipient: AgentEntry,
): string | null {
  if (recipient.id === envelope.sender_id) return null;
  const { agents, arbiter, logger } = board.context;
  const sender = agents.get(envelope.sender_id);
  if (sender === undefined) return null;
  try {
    const verdict = arbiter.authorizeDispatch({ envelope, sender, recipient });
    return verdict.allow ? null : verdict.reason;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fields = { ...logFieldsOf(envelope), recipient_id: recipient.id, reason };
    logger.error(fields, "the dispatch gate failed; it refuses");
    return reason;
  }
}
