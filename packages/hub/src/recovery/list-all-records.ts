import type { RecordKind, Store, StoredRecord } from "@colloquy/protocol";

/** Most records of one read. */
const PAGE = 1_000;

/** All records of a kind, by id. */
export async function listAllRecords(
  store: Pick<Store, "listRecords">,
  kind: RecordKind,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (let after = ""; ; ) {
    const page = await store.listRecords(kind, after, PAGE);
    records.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return records;
    after = last.id;
  }
}
