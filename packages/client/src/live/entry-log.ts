import type { DeltaFrame, Envelope } from "@colloquy/protocol";
import { createRecentIds } from "../inbox/recent-ids.js";
import { type BrokenOff, breaksBy } from "./breaks-by.js";
import type { BreakReason, ChannelEntry } from "./channel-entry.js";
import { addPiece, beginGrowing, type Growing } from "./growing.js";

/** Answers whose late pieces are recognised. */
const REMEMBERED_TURNS = 1_024;

/** An envelope with what a screen needs of it. */
export interface ShownEnvelope {
  readonly envelope: Envelope;
  readonly position: number | null;
  readonly text: string;
}

/** The entries of one channel, folded from its envelopes in order and from pieces as they come. */
export interface EntryLog {
  /** What has ended, in the channel's order, then what grows, oldest first. */
  readonly entries: readonly ChannelEntry[];
  /** Ended entries that were left out because there are too many. */
  readonly dropped: number;
  /** Gives what has changed; empty for a piece that tells nothing new. */
  takeDelta(delta: DeltaFrame): readonly ChannelEntry[];
  /** Takes the next envelope. Gives what has changed, the envelope's own entry last. */
  takeEnvelope(shown: ShownEnvelope): readonly ChannelEntry[];
  /** Breaks off what grows under an id. */
  breakOff(id: string, reason: BreakReason): readonly ChannelEntry[];
}

/**
 * Makes an {@link EntryLog}.
 *
 * @param capacity - entries that are kept beside those that grow
 */
export function createEntryLog(capacity: number): EntryLog {
  const ended: ChannelEntry[] = [];
  const growing = new Map<string, Growing>();
  /** Those among the ended that may go on. */
  const broken = new Map<string, Growing>();
  const answered = createRecentIds(REMEMBERED_TURNS);
  let entries: readonly ChannelEntry[] | null = null;
  let dropped = 0;

  const append = (entry: ChannelEntry): ChannelEntry => {
    ended.push(entry);
    entries = null;
    const oldest = ended.length > capacity ? ended.shift() : undefined;
    if (oldest === undefined) return entry;
    dropped += 1;
    broken.delete(oldest.id);
    return entry;
  };
  /** Takes an answer that grows, or has broken off, out of where it stands. */
  const take = (id: string): void => {
    growing.delete(id);
    if (!broken.delete(id)) return;
    const at = ended.findLastIndex((entry) => entry.id === id);
    if (at !== -1) ended.splice(at, 1);
  };
  const breakOff = (id: string, reason: BreakReason): readonly ChannelEntry[] => {
    const found = growing.get(id);
    if (found === undefined) return [];
    growing.delete(id);
    const entry: ChannelEntry = { ...found.entry, state: "broken", reason };
    broken.set(id, { ...found, entry });
    return [append(entry)];
  };
  const breakAll = ({ isHit, reason }: BrokenOff): readonly ChannelEntry[] =>
    [...growing.values()]
      .filter(({ entry }) => isHit(entry))
      .flatMap(({ entry }) => breakOff(entry.id, reason));

  return {
    get entries() {
      entries ??= [...ended, ...[...growing.values()].map(({ entry }) => entry)];
      return entries;
    },
    get dropped() {
      return dropped;
    },
    takeDelta(delta) {
      const id = entryIdOf(delta.sender_id, delta.turn_id);
      if (answered.has(id)) return [];
      const before = growing.get(id) ?? broken.get(id);
      const after = before === undefined ? beginGrowing(id, delta) : addPiece(before, delta);
      if (after === null) return [];
      const others = breakAll({
        reason: "superseded",
        isHit: (entry) => entry.senderId === delta.sender_id && entry.id !== id,
      });
      if (broken.has(id)) take(id);
      growing.set(id, after);
      entries = null;
      const own = delta.ended === undefined ? [after.entry] : breakOff(id, delta.ended);
      return [...others, ...own];
    },
    takeEnvelope({ envelope, position, text }) {
      const { sender_id: senderId, causation_id, envelope_id } = envelope;
      const fresh = { id: envelope_id, senderId, turnId: null, attempt: 1 };
      const found = causation_id === null ? null : entryIdOf(senderId, causation_id);
      let grown: ChannelEntry | undefined;
      if (found !== null) {
        grown = (growing.get(found) ?? broken.get(found))?.entry;
        take(found);
        answered.add(found);
      }
      const others = breaksBy(envelope).flatMap(breakAll);
      const entry: ChannelEntry = {
        ...(grown ?? fresh),
        ...{ state: "complete", text, hasGaps: false, reason: null, envelope, position },
      };
      return [...others, append(entry)];
    },
    breakOff,
  };
}

/** Under which an answer grows and ends. */
function entryIdOf(senderId: string, turnId: string): string {
  return `${senderId}:${turnId}`;
}
