import { type Envelope, membershipEventOf, visibleTo } from "@colloquy/protocol";
import * as z from "zod";

/**
 * How many envelopes with something to show each sender has sent, to everybody and to whom.
 *
 * With it, what stands before a window of a WAL is counted without reading it: all that is visible
 * to a participant, less what has been read.
 */
export interface SpeechTally {
  /** Counts one envelope that has something to show. */
  add(envelope: Pick<Envelope, "sender_id" | "audience">): void;
  /**
   * Takes note of who comes and goes: one who joins without the channel's history is counted what is
   * said to everybody from then on.
   */
  note(envelope: Envelope): void;
  /** Senders of what a participant can see, with their numbers of envelopes. */
  visibleTo(participantId: string): Map<string, number>;
  /** Plain JSON, for a snapshot. */
  toJSON(): SpeechCounts;
}

const count = z.int().min(0);
const bySender = z.record(z.string(), count);

/** Shape of a tally in a snapshot. */
export const speechCountsSchema = z.strictObject({
  /** Envelopes by sender. */
  sent: bySender,
  /** Those for everybody, by sender. */
  broadcast: bySender,
  /** Those for some, by sender and recipient. */
  directed: z.record(z.string(), bySender),
  /** What had been said to everybody when somebody joined without the history, by joiner and sender. */
  before: z.record(z.string(), bySender).optional(),
});
/** See {@link speechCountsSchema}. */
export type SpeechCounts = z.infer<typeof speechCountsSchema>;

/** Makes a {@link SpeechTally}, empty or as a snapshot has it. */
export function createSpeechTally(counts?: SpeechCounts): SpeechTally {
  return new CountedSpeech(counts);
}

type Counts = Map<string, number>;

/** Every open channel has one, so what an ordinary channel does not need waits until it is needed. */
class CountedSpeech implements SpeechTally {
  readonly #sent: Counts;
  /** Null while nothing was said to some only: then it is the same as what was sent. */
  #broadcast: Counts | null = null;
  #directed: Map<string, Counts> | null = null;
  /** Null while nobody has joined without the history, so that an ordinary channel keeps none. */
  #before: Map<string, Counts> | null;

  constructor(counts?: SpeechCounts) {
    this.#sent = new Map(Object.entries(counts?.sent ?? {}));
    const directed = Object.entries(counts?.directed ?? {});
    if (directed.length > 0) {
      this.#broadcast = new Map(Object.entries(counts?.broadcast ?? {}));
      this.#directed = new Map(directed.map(([id, to]) => [id, new Map(Object.entries(to))]));
    }
    const before = Object.entries(counts?.before ?? {});
    this.#before =
      before.length === 0
        ? null
        : new Map(before.map(([id, from]) => [id, new Map(Object.entries(from))]));
  }

  add({ sender_id, audience }: Pick<Envelope, "sender_id" | "audience">): void {
    if (audience === null) {
      increase(this.#sent, sender_id);
      if (this.#broadcast !== null) increase(this.#broadcast, sender_id);
      return;
    }
    this.#broadcast ??= new Map(this.#sent);
    this.#directed ??= new Map();
    increase(this.#sent, sender_id);
    const to = this.#directed.get(sender_id) ?? new Map<string, number>();
    this.#directed.set(sender_id, to);
    for (const recipient of new Set(audience)) increase(to, recipient);
  }

  note(envelope: Envelope): void {
    const event = membershipEventOf(envelope);
    if (event?.kind === "joined" && event.participant.since !== undefined) {
      this.#before ??= new Map();
      this.#before.set(event.agent_id, new Map(this.#broadcast ?? this.#sent));
    } else if (event?.kind === "joined" || event?.kind === "left" || event?.kind === "removed") {
      this.#before?.delete(event.agent_id);
    }
  }

  visibleTo(participantId: string): Counts {
    const seen: Counts = new Map();
    const before = this.#before?.get(participantId);
    const toAll = this.#broadcast ?? this.#sent;
    for (const [sender, own] of this.#sent) {
      const directed = this.#directed?.get(sender)?.get(participantId) ?? 0;
      const broadcast = (toAll.get(sender) ?? 0) - (before?.get(sender) ?? 0);
      const others = broadcast + directed;
      const visible = sender === participantId ? own : others;
      if (visible > 0) seen.set(sender, visible);
    }
    return seen;
  }

  toJSON(): SpeechCounts {
    return {
      sent: Object.fromEntries(this.#sent),
      broadcast: Object.fromEntries(this.#broadcast ?? this.#sent),
      directed: Object.fromEntries(
        [...(this.#directed ?? [])].map(([sender, to]) => [sender, Object.fromEntries(to)]),
      ),
      ...(this.#before === null || this.#before.size === 0
        ? {}
        : {
            before: Object.fromEntries(
              [...this.#before].map(([id, from]) => [id, Object.fromEntries(from)]),
            ),
          }),
    };
  }
}

/** Takes envelopes out of counts from {@link SpeechTally.visibleTo}; what reaches 0 goes. */
export function subtract(
  counts: Map<string, number>,
  envelopes: Iterable<Envelope>,
  participantId: string,
): void {
  for (const envelope of envelopes) {
    if (!visibleTo(envelope, participantId)) continue;
    const left = (counts.get(envelope.sender_id) ?? 0) - 1;
    if (left > 0) counts.set(envelope.sender_id, left);
    else counts.delete(envelope.sender_id);
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
