import type { Finding } from "../finding.js";
import { type Log, type LoggedEnvelope, takesTurn } from "../log/log.js";

/** Envelopes of a channel over which keys and causes are remembered; a repeat further off is new. */
const REMEMBERED = 1_024;

/** No sender uses a key twice, no agent answers one cause twice. */
export function* checkRepeats(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    const keys = new Map<string, LoggedEnvelope>();
    const replies = new Map<string, LoggedEnvelope>();
    for (const envelope of channel.envelopes) {
      const { where, senderId, key, causationId } = envelope;
      if (key !== null) {
        const first = note(keys, JSON.stringify([senderId, key]), envelope);
        if (first !== null) {
          const message = `key ${key} of ${senderId} was used at position ${first.position}`;
          yield { kind: "repeat", where, message };
        }
      }
      const isHuman = log.agents.get(senderId)?.isHuman ?? true;
      if (causationId === null || !takesTurn(envelope) || isHuman) continue;
      const first = note(replies, JSON.stringify([senderId, causationId]), envelope);
      if (first !== null) {
        const message = `${senderId} has answered ${causationId} at position ${first.position}`;
        yield { kind: "reply", where, message };
      }
    }
  }
}

/** Notes an envelope under a name; gives the one that had it before, unless that is long ago. */
function note(
  seen: Map<string, LoggedEnvelope>,
  name: string,
  envelope: LoggedEnvelope,
): LoggedEnvelope | null {
  const first = seen.get(name);
  seen.set(name, envelope);
  if (first === undefined || envelope.position - first.position > REMEMBERED) return null;
  return first;
}
