import type { AuditFilter, Store, StoredAuditRecord } from "@colloquy/protocol";
import { escapeText } from "../output/escape-text.js";
import type { Output } from "../output/output.js";

/** Audit records that match, oldest first, page by page, so that no read lasts long. */
export async function* eachAudit(
  store: Store,
  filter: Omit<AuditFilter, "order" | "limit">,
): AsyncGenerator<StoredAuditRecord, void, undefined> {
  let after = filter.after ?? 0;
  for (;;) {
    const page = await store.readAudit({ ...filter, after });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

/** Writes one record: a line for people, or the whole of it with its place in the chain. */
export async function showAudit(output: Output, stored: StoredAuditRecord): Promise<void> {
  if (output.json) return output.value(stored);
  const { at, kind, ...facts } = stored.record;
  const said = Object.entries(facts)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  await output.lines(escapeText(`${stored.sequence}  ${at}  ${kind}  ${said}`));
}
