import type { ReceiptItem } from "@colloquy/protocol";
import { type ConnectionWork, isBoundTo, type Session } from "./session.js";

/**
 * Takes up receipts. One that is not from its recipient's own connection, or names nothing that
 * was delivered to it, changes nothing; it is not answered, and it is audited.
 */
export function receiveReceipts(
  work: ConnectionWork,
  session: Session,
  items: readonly ReceiptItem[],
): void {
  for (const item of items) {
    const reason = whyIgnored(work, session, item);
    if (reason === null) continue;
    const claimed = `${String(item.recipient_id)} ${String(item.envelope_id)}`;
    work.intrusions.add(session, { op: "receipt", claimed, reason });
  }
}

/** Applies one receipt; returns why it was ignored, or null. */
function whyIgnored(work: ConnectionWork, session: Session, item: ReceiptItem): string | null {
  if (!isBoundTo(work, session, item.recipient_id)) return "recipient is not bound here";
  if (item.status !== "ack" && item.status !== "nack") return "status is neither ack nor nack";
  const { recipient_id, channel_id, envelope_id, status, reason } = item;
  const receipt = { recipient_id, channel_id, envelope_id, status, reason: reason ?? "" };
  return work.context.delivery.receipt(receipt) ? null : "nothing of that kind was delivered";
}
