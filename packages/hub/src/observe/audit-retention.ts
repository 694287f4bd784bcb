import { type Clock, formatTimestamp, type Logger, type Store } from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";
import { auditText } from "./audit-text.js";
import { AUDIT_PRUNED } from "./verify-audit.js";

/** What {@link createAuditRetention} works on. */
export interface AuditRetentionPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly committer: Pick<Committer, "lazily" | "flush">;
  readonly store: Pick<Store, "readAudit">;
  readonly deadlines: { set(key: string, atEpochMs: number, run: () => void): void };
  readonly limits: { readonly maxAuditRecords: number; readonly maxAuditAgeMs: number };
}

/** Keeps an audit log within its bounds. */
export interface AuditRetention {
  /** A record was added. */
  added(): void;
  /** Prunes what is beyond the bounds; resolves when it has been written, or was found to have to wait. */
  prune(): Promise<void>;
}

const DEADLINE_KEY = "audit-retention";
/** Milliseconds between two looks at the age of the oldest record. */
const AGE_CHECK_MS = 3_600_000;
/** Records that one commit takes away at most, so that it blocks nobody for long. */
const MAX_PRUNED_AT_ONCE = 1_000;
/** Records that are added between two looks at their number. */
const MAX_SLACK = 1_000;

/**
 * Makes the part of a hub that prunes its audit log: beyond `maxAuditRecords` the oldest go, and
 * beyond `maxAuditAgeMs` the old ones. With them, in one commit, goes a record `audit_pruned` with
 * the place and hash of the newest that went (`up_to`, `hash`), so that verification goes on, and
 * with `count`, `since` and `until`.
 */
export function createAuditRetention(ports: AuditRetentionPorts): AuditRetention {
  const { clock, logger, committer, store, deadlines, limits } = ports;
  const { maxAuditRecords, maxAuditAgeMs } = limits;
  const slack = Math.max(1, Math.min(MAX_SLACK, Math.floor(maxAuditRecords / 10)));
  let sinceLook = 0;
  let running: Promise<void> | null = null;

  /** The place up to which records may go now; 0 for none. */
  const findEnd = async (): Promise<{ first: number; upTo: number }> => {
    const [oldest] = await store.readAudit({ limit: 1 });
    const [newest] = await store.readAudit({ order: "newest", limit: 1 });
    if (oldest === undefined || newest === undefined) return { first: 0, upTo: 0 };
    // The record of the pruning itself is one of those that stay.
    const isOver = newest.sequence - oldest.sequence + 1 > maxAuditRecords;
    const byCount = isOver ? newest.sequence - maxAuditRecords + 1 : 0;
    const byAge = maxAuditAgeMs === 0 ? 0 : await lastBefore(clock.now() - maxAuditAgeMs);
    const first = oldest.sequence;
    const wanted = Math.min(Math.max(byCount, byAge), newest.sequence - 1);
    if (wanted < first) return { first, upTo: 0 };
    return { first, upTo: Math.min(wanted, first + MAX_PRUNED_AT_ONCE - 1) };
  };
  const lastBefore = async (epochMs: number): Promise<number> => {
    const to = formatTimestamp(epochMs);
    const [last] = await store.readAudit({ to, order: "newest", limit: 1 });
    return last?.sequence ?? 0;
  };
  /** True when there may be more to take away. */
  const pruneOnce = async (): Promise<boolean> => {
    await committer.flush();
    const { first, upTo } = await findEnd();
    if (upTo === 0) return false;
    const [from] = await store.readAudit({ limit: 1 });
    const [end] = await store.readAudit({ after: upTo - 1, limit: 1 });
    if (from === undefined || end?.sequence !== upTo) return false;
    const what = { up_to: upTo, hash: end.hash, count: upTo - first + 1 };
    const when = { since: from.record.at, until: end.record.at };
    const at = formatTimestamp(clock.now());
    const text = auditText({ at, kind: AUDIT_PRUNED, ...what, ...when });
    committer.lazily({ audit: [JSON.parse(text)], prune_audit_to: upTo });
    await committer.flush();
    return what.count === MAX_PRUNED_AT_ONCE;
  };
  const pruneAll = async (): Promise<void> => {
    sinceLook = 0;
    try {
      while (await pruneOnce());
    } catch (error) {
      logger.warn({ err: error }, "the audit log could not be pruned; trying again later");
    }
  };
  const prune = (): Promise<void> => {
    running ??= pruneAll().finally(() => {
      running = null;
    });
    return running;
  };
  const lookAgain = (): void => {
    if (maxAuditAgeMs === 0) return;
    deadlines.set(DEADLINE_KEY, clock.now() + Math.min(AGE_CHECK_MS, maxAuditAgeMs), () => {
      void prune();
      lookAgain();
    });
  };
  lookAgain();
  return {
    prune,
    added() {
      sinceLook += 1;
      if (sinceLook >= slack) void prune();
    },
  };
}
