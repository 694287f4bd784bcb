import { type Clock, type Envelope, formatTimestamp, isNetworkError } from "@colloquy/protocol";
import type { AuditLog } from "./audit-log.js";

/** What {@link createRefusalLog} works on. */
export interface RefusalLogPorts {
  readonly clock: Clock;
  readonly deadlines: { set(key: string, atEpochMs: number, run: () => void): void };
  readonly limits: { readonly auditedRefusalsPerMinute: number };
}

/** Writes refused posts to the audit log, so many in full and the rest as counts. */
export interface RefusalLog {
  add(envelope: Envelope, error: Error): void;
  /** Writes the counts of the minute under way, for a hub that closes. */
  flushRefusals(): void;
}

interface Group {
  readonly sender_id: string;
  readonly code: string;
  written: number;
  counted: number;
}

const MINUTE_MS = 60_000;
const DEADLINE_KEY = "audit-refusals";
/** Groups of one minute; what comes after them is counted together, whoever sends it. */
const MAX_GROUPS = 256;
/** Of all groups together so many times the limit of one are written in full. */
const MAX_FULL_GROUPS = 10;
const MAX_REASON_LENGTH = 500;
/** Stands for the senders that have no group of their own. */
const OTHERS = "*";

/**
 * Makes the part of the audit log that holds refused posts.
 *
 * Each is a record `post_refused` with sender, channel, event type, code and reason, and without
 * the text. Refusals of one sender with one code make a group; of each group the first
 * `auditedRefusalsPerMinute` in a minute are written one by one, and what goes beyond is one
 * record with `count` and `since` at the minute's end; so is what goes beyond ten times as many of
 * all groups together. A minute starts with its first refusal.
 */
export function createRefusalLog(
  audit: Pick<AuditLog, "append">,
  { clock, deadlines, limits }: RefusalLogPorts,
): RefusalLog {
  let since = "";
  let writtenOfAll = 0;
  const groups = new Map<string, Group>();

  const flushRefusals = (): void => {
    for (const { sender_id, code, counted } of groups.values()) {
      if (counted > 0)
        audit.append({ kind: "post_refused", sender_id, code, count: counted, since });
    }
    groups.clear();
    writtenOfAll = 0;
  };
  const isSpent = ({ sender_id, written }: Group): boolean => {
    const limit = limits.auditedRefusalsPerMinute;
    return sender_id === OTHERS || written >= limit || writtenOfAll >= MAX_FULL_GROUPS * limit;
  };
  const groupOf = (sender: string, code: string): Group => {
    if (groups.size === 0) {
      since = formatTimestamp(clock.now());
      deadlines.set(DEADLINE_KEY, clock.now() + MINUTE_MS, flushRefusals);
    }
    const key = `${code} ${sender}`;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const full = groups.size >= MAX_GROUPS && sender !== OTHERS;
    if (full) return groupOf(OTHERS, code);
    const group = { sender_id: sender, code, written: 0, counted: 0 };
    groups.set(key, group);
    return group;
  };

  return {
    flushRefusals,
    add(envelope, error) {
      const { sender_id, channel_id, event_type } = envelope;
      const code = isNetworkError(error) ? error.code : "internal";
      const group = groupOf(sender_id, code);
      if (isSpent(group)) {
        group.counted += 1;
        return;
      }
      group.written += 1;
      writtenOfAll += 1;
      const reason = error.message.slice(0, MAX_REASON_LENGTH);
      audit.append({ kind: "post_refused", sender_id, channel_id, event_type, code, reason });
    },
  };
}
