import { matchesAny, type StoredEnvelope } from "@colloquy/protocol";

/** Which envelopes a reader wants. */
export interface EnvelopeFilter {
  /** Patterns of event types; empty is every type. */
  readonly types: readonly string[];
  /** Id of the sender; null is anybody. */
  readonly senderId: string | null;
}

/** True for a filter that leaves nothing out. */
export function takesAll(filter: EnvelopeFilter): boolean {
  return filter.types.length === 0 && filter.senderId === null;
}

/** True for an envelope that the filter lets through. */
export function passes(stored: StoredEnvelope, { types, senderId }: EnvelopeFilter): boolean {
  if (senderId !== null && stored.sender_id !== senderId) return false;
  return types.length === 0 || matchesAny(types, stored.event_type);
}
