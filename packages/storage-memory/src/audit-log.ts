import { createHash } from "node:crypto";
import {
  type AuditFilter,
  type AuditRecord,
  auditChainText,
  matchesAudit,
  pageLimit,
  type StoredAuditRecord,
  wholeNumber,
} from "@colloquy/protocol";
import type { DiskAudit, DiskContent } from "./memory-disk.js";
import { take } from "./take.js";

const encoder = new TextEncoder();

/** Adds records, given as JSON, to the end of the log and its chain. */
export function appendAudit(content: DiskContent, texts: readonly string[]): void {
  for (const text of texts) {
    const last = content.audit.at(-1);
    const sequence = (last?.sequence ?? 0) + 1;
    const prev_hash = last?.hash ?? "";
    const chained = auditChainText(prev_hash, sequence, text);
    const hash = createHash("sha256").update(chained).digest("hex");
    content.audit.push({ sequence, prev_hash, hash, text });
    content.auditBytes += encoder.encode(text).length;
  }
}

/** Takes away the records up to a place; the newest stays, whatever is asked. */
export function pruneAudit(content: DiskContent, upTo: number): void {
  const newest = content.audit.at(-1)?.sequence ?? 0;
  const last = Math.min(upTo, newest - 1);
  const gone = content.audit.filter(({ sequence }) => sequence <= last);
  content.audit = content.audit.slice(gone.length);
  for (const { text } of gone) content.auditBytes -= encoder.encode(text).length;
}

/** Reads as `Store.readAudit` does. */
export function readAudit(content: DiskContent, filter: AuditFilter): StoredAuditRecord[] {
  const after = wholeNumber(filter.after, 0, 0, "after");
  const before = wholeNumber(filter.before, 0, Number.MAX_SAFE_INTEGER, "before");
  const within = inRange(content.audit, after, before, filter.order === "newest");
  return take(within, pageLimit(filter.limit), ({ text, ...place }) => {
    const record = JSON.parse(text) as AuditRecord;
    return matchesAudit(record, filter) ? { ...place, record } : undefined;
  });
}

function* inRange(
  audit: readonly DiskAudit[],
  after: number,
  before: number,
  newestFirst: boolean,
): Generator<DiskAudit> {
  const first = audit[0]?.sequence ?? 1;
  const from = Math.max(after + 1 - first, 0);
  const end = Math.min(before - first, audit.length);
  for (let step = 0; step < end - from; step += 1) {
    const record = audit[newestFirst ? end - 1 - step : from + step];
    if (record !== undefined) yield record;
  }
}
