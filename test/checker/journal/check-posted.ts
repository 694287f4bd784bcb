import type { Finding } from "../finding.js";
import type { Log } from "../log/log.js";
import { entriesOf, type JournalEntry } from "./journal.js";

/** Every acknowledged post stands in the log, as what it was, and as one envelope. */
export function* checkPosted(log: Log, journal: readonly JournalEntry[]): Generator<Finding, void> {
  const answers = new Map<string, string>();
  for (const posted of entriesOf(journal, "posted")) {
    const { where, envelope_id, channel_id, sender_id, position, idempotency_key } = posted;
    const key = idempotency_key ?? null;
    const envelope = log.byId.get(envelope_id);
    if (envelope === undefined) {
      const message = `the post ${envelope_id} was acknowledged and is not in the log`;
      yield { kind: "lost", where, message };
      continue;
    }
    const isSame =
      envelope.channelId === channel_id &&
      envelope.senderId === sender_id &&
      envelope.position === (position ?? envelope.position) &&
      (key === null || envelope.key === key);
    if (!isSame) {
      const message = `the post ${envelope_id} stands at ${envelope.where} as another`;
      yield { kind: "altered", where, message };
    }
    if (key === null) continue;
    const name = JSON.stringify([channel_id, sender_id, key]);
    const first = answers.get(name) ?? envelope_id;
    answers.set(name, first);
    if (first !== envelope_id) {
      const message = `the post with key ${key} was acknowledged as ${first} and as ${envelope_id}`;
      yield { kind: "doubled", where, message };
    }
  }
}
