import { createHash } from "node:crypto";
import { auditChainText, type StoredAuditRecord } from "@colloquy/protocol";

/** What is wrong with an audit log, and where. */
export interface AuditFault {
  /** Place of the record at which it shows. */
  readonly sequence: number;
  readonly reason: string;
}

/** What {@link verifyAudit} has found. */
export interface AuditFinding {
  readonly isWhole: boolean;
  readonly fault: AuditFault | null;
  /** Records that were looked at. */
  readonly records: number;
  /** Place of the oldest record that is kept; null for an empty log. */
  readonly first: number | null;
  readonly last: number | null;
  /** Hash of the newest record: noted elsewhere, it shows later whether the end was cut off. */
  readonly head: string;
}

/** Record that is written with every pruning; it names what went, and so where the chain starts. */
export const AUDIT_PRUNED = "audit_pruned";

interface Start {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Verifies the chain of an audit log, page by page: every hash, every place, and that what is
 * missing from its start was pruned, which the newest `audit_pruned` record proves.
 *
 * What the chain alone cannot show is that records were cut off its end: compare `head` with one
 * that was noted earlier.
 *
 * @param readPage - gives records with places above `after`, oldest first; nothing at the end
 */
export async function verifyAudit(
  readPage: (after: number) => Promise<readonly StoredAuditRecord[]>,
): Promise<AuditFinding> {
  let first: StoredAuditRecord | null = null;
  let start: Start | null = null;
  let last: Start = { sequence: 0, hash: "" };
  let records = 0;
  const end = (fault: AuditFault | null): AuditFinding => ({
    ...{ isWhole: fault === null, fault, records, first: first?.sequence ?? null },
    ...{ last: records === 0 ? null : last.sequence, head: last.hash },
  });
  for (let page = await readPage(0); page.length > 0; page = await readPage(last.sequence)) {
    for (const stored of page) {
      if (first === null) {
        first = stored;
        last = { sequence: stored.sequence - 1, hash: stored.prev_hash };
      }
      const reason = faultOf(stored, last);
      if (reason !== null) return end({ sequence: stored.sequence, reason });
      start = prunedStart(stored) ?? start;
      last = stored;
      records += 1;
    }
  }
  return end(first === null ? null : faultOfStart(first, start));
}

function faultOf(
  { sequence, record, prev_hash, hash }: StoredAuditRecord,
  last: Start,
): string | null {
  if (sequence !== last.sequence + 1) return `follows record ${last.sequence}: some are missing`;
  if (prev_hash !== last.hash) return "is not tied to the record before it";
  const text = auditChainText(prev_hash, sequence, JSON.stringify(record));
  const expected = createHash("sha256").update(text).digest("hex");
  return hash === expected ? null : "was changed: its hash is another one";
}

function prunedStart({ record }: StoredAuditRecord): Start | null {
  if (record.kind !== AUDIT_PRUNED) return null;
  const { up_to, hash } = record as { up_to?: unknown; hash?: unknown };
  if (typeof up_to !== "number" || typeof hash !== "string") return null;
  return { sequence: up_to, hash };
}

function faultOfStart(first: StoredAuditRecord, start: Start | null): AuditFault | null {
  const { sequence, prev_hash } = first;
  if (start === null) {
    if (sequence === 1 && prev_hash === "") return null;
    return { sequence, reason: "is the first, and nothing says that those before it were pruned" };
  }
  if (start.sequence === sequence - 1 && start.hash === prev_hash) return null;
  return {
    sequence,
    reason: `is the first, but the log says it was pruned up to ${start.sequence}`,
  };
}
