import type { DeliveryRecord } from "@colloquy/protocol";
import type { Board } from "./board.js";
import type { Emptied } from "./emptied.js";
import { recordOf } from "./ledger.js";
import { pumpOnRoom } from "./pump.js";
import { buryEntry } from "./settle.js";
import { countedEntries, loadAll } from "./show-inbox.js";

/**
 * Gives up everything that counts against an agent's inbox, in one channel or in all: each envelope
 * is dead for it, with this reason. The notices of a channel's life stay.
 *
 * @param channelId - null for all channels
 */
export async function emptyInbox(
  board: Board,
  agentId: string,
  { channelId, reason }: { readonly channelId: string | null; readonly reason: string },
): Promise<Emptied> {
  const inbox = board.inboxes.get(agentId);
  if (inbox === undefined) return { dropped: 0, records: [] };
  await loadAll(board, inbox);
  let dropped = 0;
  const records: DeliveryRecord[] = [];
  for (const ledger of [...inbox.active.values()]) {
    if (channelId !== null && ledger.book.channelId !== channelId) continue;
    const victims = [...countedEntries(ledger)];
    if (victims.length === 0) continue;
    for (const entry of victims) buryEntry(board, inbox, ledger, entry, reason);
    dropped += victims.length;
    records.push(recordOf(ledger));
  }
  pumpOnRoom(board, inbox);
  return { dropped, records };
}
