import { type DeliveryState, formatTimestamp, type LedgerLine } from "@colloquy/protocol";
import type { Outstanding } from "./outstanding.js";

/** What is known of one envelope and recipient beside what is outstanding; times in epoch milliseconds, 0 for none. */
export interface LineFacts {
  /** How it ended; null while it has not. */
  state: DeliveryState | null;
  attempt: number;
  reason: string;
  sentAt: number;
  takenUpAt: number;
  failedAt: number;
  answeredAt: number;
  settledAt: number;
}

/** Facts of a line of which nothing is known. */
export function noFacts(): LineFacts {
  return {
    state: null,
    attempt: 0,
    reason: "",
    sentAt: 0,
    takenUpAt: 0,
    failedAt: 0,
    answeredAt: 0,
    settledAt: 0,
  };
}

/** Keeps what is known of an entry. */
export function noteEntry(line: LineFacts, entry: Outstanding): void {
  line.attempt = entry.attempt;
  line.reason = entry.reason;
  line.sentAt = entry.sentAt;
  line.takenUpAt = entry.takenUpAt;
  line.failedAt = entry.failedAt;
}

/** The line of an envelope that is outstanding. */
export function outstandingLine(
  recipientId: string,
  entry: Outstanding,
  line: LineFacts | undefined,
): LedgerLine {
  const answeredAt = line?.answeredAt ?? 0;
  return {
    recipient_id: recipientId,
    state: answeredAt > 0 ? "answered" : stateOf(entry),
    attempt: entry.attempt,
    reason: entry.reason,
    ...timesOf({ ...entry, answeredAt, settledAt: 0 }),
  };
}

function stateOf({ state, failedAt, takenUpAt }: Outstanding): DeliveryState {
  if (failedAt > 0) return "failed";
  if (state !== "sent") return "queued";
  return takenUpAt > 0 ? "taken_up" : "sent";
}

/** The line of an envelope that is settled. */
export function settledLine(
  recipientId: string,
  queuedAt: number,
  line: LineFacts | undefined,
): LedgerLine {
  const facts = line ?? noFacts();
  const ended = facts.state ?? "acknowledged";
  const isHandled = ended === "acknowledged" || ended === "failed";
  return {
    recipient_id: recipientId,
    state: isHandled && facts.answeredAt > 0 ? "answered" : ended,
    attempt: facts.attempt,
    reason: facts.reason,
    ...timesOf({ ...facts, queuedAt }),
  };
}

interface Times extends Omit<LineFacts, "state" | "attempt" | "reason"> {
  readonly queuedAt: number;
}

function timesOf(times: Times): Omit<LedgerLine, "recipient_id" | "state" | "attempt" | "reason"> {
  return {
    queued_at: timeOf(times.queuedAt),
    sent_at: timeOf(times.sentAt),
    taken_up_at: timeOf(times.takenUpAt),
    failed_at: timeOf(times.failedAt),
    answered_at: timeOf(times.answeredAt),
    settled_at: timeOf(times.settledAt),
  };
}

function timeOf(epochMs: number): string | null {
  return epochMs === 0 ? null : formatTimestamp(epochMs);
}
