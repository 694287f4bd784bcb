import {
  AccessDeniedError,
  NotFoundError,
  ProtocolError,
  type ReceiptItem,
} from "@colloquy/protocol";
import type { RefusalFacts } from "../observe/refusal.js";
import { targetOf } from "../observe/refused-facts.js";
import { refuse } from "./refuse.js";
import { type ConnectionWork, isBoundTo, type Session } from "./session.js";

/** What a receipt may say; links of this process hand over what no codec has seen. */
const KNOWN_STATUS: ReadonlySet<ReceiptItem["status"]> = new Set(["ack", "nack", "taken_up"]);

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
    refuse(work, session, reason, receiptFacts(item));
  }
}

/** Applies one receipt; returns why it was ignored, or null. */
function whyIgnored(work: ConnectionWork, session: Session, item: ReceiptItem): Error | null {
  if (!isBoundTo(work, session, item.recipient_id)) {
    return new AccessDeniedError("recipient is not bound here");
  }
  if (!KNOWN_STATUS.has(item.status)) {
    return new ProtocolError("status is neither ack nor nack nor taken_up");
  }
  const { recipient_id, channel_id, envelope_id, status, reason } = item;
  const receipt = { recipient_id, channel_id, envelope_id, status, reason: reason ?? "" };
  if (work.context.delivery.receipt(receipt)) return null;
  return new NotFoundError("nothing of that kind was delivered");
}

function receiptFacts(item: ReceiptItem): RefusalFacts {
  const { recipient_id, channel_id, envelope_id } = item;
  const facts = { what: "receipt", op: "receipt", target: targetOf(String(recipient_id)) } as const;
  return {
    ...facts,
    ...(typeof channel_id === "string" ? { channel_id } : {}),
    ...(typeof envelope_id === "string" ? { envelope_id } : {}),
  };
}
