import type { Finding } from "../finding.js";
import { isFor, type Log, type LoggedEnvelope } from "../log/log.js";
import type { JournalEntry } from "./journal.js";

/**
 * What arrived is in the log and was for its recipient; each recipient saw each channel for the
 * first time in the order of the log; whoever says to have caught up has seen everything.
 *
 * A journal must hold everything that arrived at its recipients.
 */
export function* checkDelivered(
  log: Log,
  journal: readonly JournalEntry[],
): Generator<Finding, void> {
  const seen = new Map<string, Set<string>>();
  const newest = new Map<string, number>();
  for (const entry of journal) {
    if (entry.kind === "caught_up") {
      yield* checkMissed(log, entry, seen.get(entry.recipient_id) ?? new Set());
    }
    if (entry.kind !== "delivered") continue;
    const { recipient_id, envelope_id, where } = entry;
    const envelope = log.byId.get(envelope_id);
    yield* checkArrival(entry, envelope);
    if (envelope === undefined) continue;
    const all = seen.get(recipient_id) ?? new Set();
    seen.set(recipient_id, all);
    if (all.has(envelope_id)) continue;
    all.add(envelope_id);
    const line = JSON.stringify([recipient_id, envelope.channelId]);
    const before = newest.get(line) ?? 0;
    newest.set(line, Math.max(before, envelope.position));
    if (envelope.position < before) {
      const message = `${recipient_id} saw position ${envelope.position} of channel ${envelope.channelId} behind ${before}`;
      yield { kind: "disorder", where, message };
    }
  }
}

function* checkArrival(
  entry: Extract<JournalEntry, { kind: "delivered" }>,
  envelope: LoggedEnvelope | undefined,
): Generator<Finding, void> {
  const { where, recipient_id, envelope_id, channel_id, position } = entry;
  if (envelope === undefined) {
    yield { kind: "phantom", where, message: `${envelope_id} was delivered and is not in the log` };
    return;
  }
  const isSame =
    envelope.channelId === channel_id && envelope.position === (position ?? envelope.position);
  if (!isSame) {
    const message = `${envelope_id} was delivered as another than at ${envelope.where}`;
    yield { kind: "phantom", where, message };
  }
  if (!isFor(envelope, recipient_id)) {
    const message = `${envelope_id} was delivered to ${recipient_id}, for whom it is not`;
    yield { kind: "leak", where, message };
  }
}

/** What may run out, and what a rule may keep away, need not have been seen. */
function* checkMissed(
  log: Log,
  { where, recipient_id }: Extract<JournalEntry, { kind: "caught_up" }>,
  seen: ReadonlySet<string>,
): Generator<Finding, void> {
  if (log.agents.get(recipient_id)?.isPicky !== false) return;
  for (const channel of log.channels.values()) {
    for (const envelope of channel.envelopes) {
      const isDue = isFor(envelope, recipient_id) && envelope.ttlSeconds === null;
      if (!isDue || seen.has(envelope.id)) continue;
      const message = `${recipient_id} never saw position ${envelope.position} of channel ${channel.id}`;
      yield { kind: "missed", where, message };
    }
  }
}
