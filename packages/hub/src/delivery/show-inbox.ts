import type { Board } from "./board.js";
import type { ChannelShare } from "./channel-share.js";
import type { Inbox } from "./inbox.js";
import type { Ledger } from "./ledger.js";
import type { Outstanding } from "./outstanding.js";
import { loadLedger } from "./rebuild.js";

/** What waits for an agent, channel by channel, in no particular order; ended channels are read first. */
export async function readShares(board: Board, agentId: string): Promise<readonly ChannelShare[]> {
  const inbox = board.inboxes.get(agentId);
  if (inbox === undefined) return [];
  await loadAll(board, inbox);
  return [...inbox.active.values()].flatMap((ledger) => {
    const counted = countedEntries(ledger);
    const [oldest] = counted;
    if (oldest === undefined) return [];
    const { channelId } = ledger.book;
    return [{ channelId, pending: counted.length, oldestEnvelopeId: oldest.envelopeId }];
  });
}

/** The entries of a ledger that count against an inbox, oldest first. */
export function countedEntries({ entries }: Ledger): readonly Outstanding[] {
  return entries.filter(({ substantive }) => substantive);
}

/** Reads what is outstanding in channels that have ended, so that all of it is known. */
export async function loadAll(board: Board, inbox: Inbox): Promise<void> {
  for (const ledger of [...inbox.active.values()]) {
    if (!ledger.loaded) await loadLedger(board, ledger);
  }
}
