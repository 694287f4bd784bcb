import { type DeadLetter, deadLetterSchema, type StoredRecord } from "@colloquy/protocol";
import type { DeadLetterFilter, DeadLetterPage } from "./dead-letter-page.js";
import type { DeliveryContext } from "./delivery-context.js";

/** A dead letter and the id under which it is stored. */
export interface KeptLetter {
  readonly id: string;
  letter: DeadLetter;
}

/** The dead letters of a hub. */
export interface DeadLetters {
  readonly size: number;
  get(recipientId: string, envelopeId: string): KeptLetter | undefined;
  /**
   * Keeps a letter, or what has become of a known one, and writes it lazily. Beyond the limit one is
   * dropped: the oldest of the recipient when it has more than its share, else the oldest of all.
   */
  put(letter: DeadLetter): void;
  /** Forgets a letter and, unless it is deleted already, deletes it lazily. */
  remove(kept: KeptLetter, isDeleted?: boolean): void;
  ofRecipient(recipientId: string): readonly KeptLetter[];
  list(filter: DeadLetterFilter): DeadLetterPage;
  /** Takes up the records of a start; gives those that were being retried. */
  restore(records: readonly StoredRecord[]): readonly KeptLetter[];
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Digits of a number in its id, so that ids sort as numbers do. */
const ID_DIGITS = 12;
/** Why one is dropped to make room. */
const NO_ROOM = "there are more dead letters than maxDeadLetters";

/** Makes an empty {@link DeadLetters}. */
export function createDeadLetters(context: DeliveryContext): DeadLetters {
  const all = new Map<string, KeptLetter>();
  const byRecipient = new Map<string, Map<string, KeptLetter>>();
  let newest = 0;

  const write = ({ id, letter }: KeptLetter): void => {
    const record = { kind: "dead_letter" as const, id, value: JSON.stringify(letter) };
    context.committer.lazily({ deliveries: [], records: [record] });
  };
  const add = (kept: KeptLetter): void => {
    const { recipient_id, envelope_id } = kept.letter;
    all.set(kept.id, kept);
    const own = byRecipient.get(recipient_id);
    if (own === undefined) byRecipient.set(recipient_id, new Map([[envelope_id, kept]]));
    else own.set(envelope_id, kept);
  };
  const remove: DeadLetters["remove"] = (kept, isDeleted = false) => {
    const { recipient_id, envelope_id } = kept.letter;
    if (!all.delete(kept.id)) return;
    const own = byRecipient.get(recipient_id);
    own?.delete(envelope_id);
    if (own?.size === 0) byRecipient.delete(recipient_id);
    if (isDeleted) return;
    const record = { kind: "dead_letter" as const, id: kept.id, value: null };
    context.committer.lazily({ deliveries: [], records: [record] });
  };
  /** One that is being retried is not given up for room. */
  const makeRoom = (recipientId: string): void => {
    const limit = context.limits.maxDeadLetters;
    while (all.size > limit) {
      const own = byRecipient.get(recipientId) ?? new Map<string, KeptLetter>();
      const isGreedy = own.size * byRecipient.size > limit;
      const victim = oldestDead(isGreedy ? own.values() : all.values()) ?? oldestDead(all.values());
      if (victim === undefined) return;
      remove(victim);
      context.listeners.emit("onDeadLetterDropped", victim.letter, NO_ROOM);
    }
  };

  return {
    get size() {
      return all.size;
    },
    get: (recipientId, envelopeId) => byRecipient.get(recipientId)?.get(envelopeId),
    put(letter) {
      const known = byRecipient.get(letter.recipient_id)?.get(letter.envelope_id);
      if (known !== undefined) {
        known.letter = letter;
        write(known);
        return;
      }
      newest += 1;
      const kept = { id: String(newest).padStart(ID_DIGITS, "0"), letter };
      add(kept);
      write(kept);
      makeRoom(letter.recipient_id);
    },
    remove,
    ofRecipient: (recipientId) => [...(byRecipient.get(recipientId)?.values() ?? [])],
    list(filter) {
      const limit = Math.min(filter.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
      const after = filter.after ?? "";
      const found: KeptLetter[] = [];
      for (const kept of all.values()) {
        if (kept.id <= after || !matches(kept.letter, filter)) continue;
        if (found.length === limit) {
          return { dead_letters: lettersOf(found), next: found.at(-1)?.id ?? null };
        }
        found.push(kept);
      }
      return { dead_letters: lettersOf(found), next: null };
    },
    restore(records) {
      for (const { id, value } of records) {
        newest = Math.max(newest, Number(id));
        const letter = readLetter(value);
        if (letter !== null) add({ id, letter });
        else context.logger.warn({ dead_letter: id }, "a stored dead letter cannot be read");
      }
      return [...all.values()].filter(({ letter }) => letter.state === "retrying");
    },
  };
}

function oldestDead(letters: Iterable<KeptLetter>): KeptLetter | undefined {
  for (const kept of letters) if (kept.letter.state === "dead") return kept;
  return undefined;
}

function lettersOf(kept: readonly KeptLetter[]): DeadLetter[] {
  return kept.map(({ letter }) => ({ ...letter }));
}

function matches(letter: DeadLetter, filter: DeadLetterFilter): boolean {
  return (
    (filter.recipient_id === undefined || filter.recipient_id === letter.recipient_id) &&
    (filter.sender_id === undefined || filter.sender_id === letter.sender_id) &&
    (filter.channel_id === undefined || filter.channel_id === letter.channel_id)
  );
}

function readLetter(text: string): DeadLetter | null {
  try {
    return deadLetterSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
