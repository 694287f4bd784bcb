import type { DeliveryRecord } from "@colloquy/protocol";
import type { Board } from "./board.js";
import type { DeliveredChannel } from "./delivery.js";

/**
 * What each registered member of a channel has settled so far; nothing is settled of what comes
 * next. Changes nothing.
 */
export function recordsAtEnd(
  board: Board,
  { id, participants }: Pick<DeliveredChannel, "id" | "participants">,
): DeliveryRecord[] {
  const book = board.books.get(id);
  const known = book?.known ?? 0;
  const members = [...participants].filter((agentId) => board.context.agents.get(agentId));
  return members.map((agent_id) => {
    const ledger = book?.ledgers.get(agent_id);
    const oldest = ledger?.entries.find(({ retried }) => !retried);
    const isClear = ledger === undefined || (ledger.loaded && oldest === undefined);
    return {
      agent_id,
      channel_id: id,
      cursor: ledger?.cursor ?? "",
      floor: isClear ? known : Math.max(ledger.floor, (oldest?.position ?? 1) - 1),
      above: isClear ? [] : [...ledger.above],
      settled: false,
    };
  });
}
