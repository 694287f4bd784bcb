import {
  type Envelope,
  showsSomething,
  type ViewPolicy,
  visibleTo,
  type WalSlice,
} from "@colloquy/protocol";
import { renderViewWal } from "./view-wal.js";

/** The slice that the port promises a view, made the plainest way. */
export function referenceSlice(
  wal: readonly Envelope[],
  participantId: string,
  needs: ViewPolicy["needs"],
): WalSlice {
  const kept: Envelope[] = [];
  const senders = new Set<string>();
  let count = 0;
  for (const envelope of [...wal].reverse()) {
    if (!visibleTo(envelope, participantId)) continue;
    if (needs === "all") kept.unshift(envelope);
    else if (!showsSomething(renderViewWal(envelope))) continue;
    else if (kept.length < needs.last) kept.unshift(envelope);
    else {
      count += 1;
      senders.add(envelope.sender_id);
    }
  }
  return { envelopes: kept, left_out: { count, senders: [...senders] } };
}
