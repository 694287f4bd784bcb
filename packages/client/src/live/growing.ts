import type { DeltaFrame } from "@colloquy/protocol";
import type { ChannelEntry } from "./channel-entry.js";

/** Characters of one growing text; what comes beyond is left out, and the envelope brings it. */
const MAX_TEXT = 1_000_000;

/** An answer that grows, or has broken off and may go on. */
export interface Growing {
  readonly entry: ChannelEntry;
  /** Sequence of the piece that follows. */
  readonly next: number;
}

/** What a first piece begins; one that is not the first of its run has a gap before it. Null for an end. */
export function beginGrowing(id: string, delta: DeltaFrame): Growing | null {
  if (delta.ended !== undefined) return null;
  const entry: ChannelEntry = {
    id,
    senderId: delta.sender_id,
    state: "growing",
    text: delta.text.slice(0, MAX_TEXT),
    hasGaps: delta.sequence > 0 || delta.text.length > MAX_TEXT,
    turnId: delta.turn_id,
    attempt: delta.attempt ?? 1,
    reason: null,
    envelope: null,
    position: null,
  };
  return { entry, next: delta.sequence + 1 };
}

/**
 * Adds a piece. The first piece of a run, or any of a later run, starts the text anew. Null for a piece
 * that tells nothing new: one of an earlier run, one that is late, or one of a run that is over.
 */
export function addPiece({ entry, next }: Growing, delta: DeltaFrame): Growing | null {
  const attempt = delta.attempt ?? 1;
  if (attempt < entry.attempt) return null;
  const isSameRun = attempt === entry.attempt && (delta.sequence > 0 || delta.ended !== undefined);
  if (!isSameRun) return beginGrowing(entry.id, delta);
  const isOver = entry.state === "broken" && entry.reason !== "quiet";
  if (isOver || delta.sequence < next) return null;
  const text = entry.text + delta.text;
  const isWhole = next === delta.sequence && text.length <= MAX_TEXT;
  return {
    entry: {
      ...entry,
      state: "growing",
      reason: null,
      text: text.slice(0, MAX_TEXT),
      hasGaps: entry.hasGaps || !isWhole,
    },
    next: delta.sequence + 1,
  };
}
