import type { Envelope } from "@colloquy/protocol";
import type { RecentRelease } from "./recent-releases.js";

/**
 * Envelopes that were given to remote participants who have not been tried yet. What the ledger
 * keeps of a release may be dropped meanwhile; what stands here ends with its last participant.
 */
export interface Untried {
  add(envelope: Envelope, release: RecentRelease, recipientId: string): void;
  /** The release of an envelope that is not done; undefined for any other. */
  get(envelopeId: string): RecentRelease | undefined;
  /** A participant has been tried; harmless when repeated. */
  tried(envelopeId: string, recipientId: string): void;
  /** A participant cannot be tried now: its envelopes wait for its return. */
  forget(recipientId: string): void;
  /** Nobody is tried any more. */
  forgetAll(): void;
}

interface Waiting {
  readonly envelope: Envelope;
  readonly release: RecentRelease;
  readonly recipients: Set<string>;
}

/**
 * Makes an empty {@link Untried}.
 *
 * @param onDone - told of each envelope once, with the times that somebody could not be reached
 */
export function createUntried(onDone: (envelope: Envelope, failures: number) => void): Untried {
  const waiting = new Map<string, Waiting>();
  const byRecipient = new Map<string, Set<string>>();
  const tried = (envelopeId: string, recipientId: string): void => {
    const found = waiting.get(envelopeId);
    if (found?.recipients.delete(recipientId) !== true) return;
    const theirs = byRecipient.get(recipientId);
    theirs?.delete(envelopeId);
    if (theirs?.size === 0) byRecipient.delete(recipientId);
    if (found.recipients.size > 0) return;
    waiting.delete(envelopeId);
    onDone(found.envelope, found.release.failures);
  };
  const forget = (recipientId: string): void => {
    for (const envelopeId of [...(byRecipient.get(recipientId) ?? [])]) {
      tried(envelopeId, recipientId);
    }
  };
  return {
    add(envelope, release, recipientId) {
      const { envelope_id } = envelope;
      const found = waiting.get(envelope_id) ?? { envelope, release, recipients: new Set() };
      waiting.set(envelope_id, found);
      found.recipients.add(recipientId);
      const theirs = byRecipient.get(recipientId) ?? new Set();
      byRecipient.set(recipientId, theirs.add(envelope_id));
    },
    get: (envelopeId) => waiting.get(envelopeId)?.release,
    tried,
    forget,
    forgetAll() {
      for (const recipientId of [...byRecipient.keys()]) forget(recipientId);
    },
  };
}
