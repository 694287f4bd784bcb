import type { Logger, RecordWrite, StoredRecord } from "@colloquy/protocol";
import * as z from "zod";
import type { OpenCondition } from "./evaluator.js";

/** Violations of one channel that have fired: by place of the expectation and violator, what began it. */
export type Marks = ReadonlyMap<string, number>;

/** Which violations have fired, stored so that no restart fires one again or forgets it. */
export interface FiredMarks {
  readonly size: number;
  of(channelId: string): Marks;
  /** Puts other marks in the place of a channel's. */
  set(channelId: string, marks: Marks): void;
  /** Puts what the store has of a channel in their place; null for nothing. */
  put(channelId: string, text: string | null): void;
  /** Takes up what a start has read. */
  restore(records: readonly StoredRecord[]): void;
}

/** How a violation is marked. */
export function markKey(index: number, { violator }: Pick<OpenCondition, "violator">): string {
  return `${index} ${violator ?? ""}`;
}

/** True for a condition whose violation has fired; what began later is another one. */
export function isMarked(marks: Marks, index: number, condition: OpenCondition): boolean {
  const since = marks.get(markKey(index, condition));
  return since !== undefined && since >= condition.since[0];
}

/** The record that keeps a channel's marks; without any it goes. */
export function marksRecord(channelId: string, marks: Marks): RecordWrite {
  const value = marks.size === 0 ? null : JSON.stringify(Object.fromEntries(marks));
  return { kind: "meta", id: `${PREFIX}${channelId}`, value };
}

const PREFIX = "expectations ";
const NO_MARKS: Marks = new Map();
const marksSchema = z.record(z.string(), z.int().min(0));

/** Makes {@link FiredMarks} without any. */
export function createFiredMarks(logger: Logger): FiredMarks {
  const byChannel = new Map<string, Marks>();
  const marks: FiredMarks = {
    get size() {
      return byChannel.size;
    },
    of: (channelId) => byChannel.get(channelId) ?? NO_MARKS,
    set(channelId, next) {
      if (next.size === 0) byChannel.delete(channelId);
      else byChannel.set(channelId, next);
    },
    put(channelId, text) {
      const found = text === null ? NO_MARKS : readMarks(text);
      marks.set(channelId, found ?? NO_MARKS);
      if (found !== null) return;
      const lost = "a channel's fired expectations cannot be read: they may fire once more";
      logger.warn({ channel_id: channelId }, lost);
    },
    restore(records) {
      for (const { kind, id, value } of records) {
        if (kind === "meta" && id.startsWith(PREFIX)) marks.put(id.slice(PREFIX.length), value);
      }
    },
  };
  return marks;
}

function readMarks(value: string): Marks | null {
  try {
    const parsed = marksSchema.safeParse(JSON.parse(value));
    return parsed.success ? new Map(Object.entries(parsed.data)) : null;
  } catch {
    return null;
  }
}
