/**
 * Goes on writing a store where it left off and says, line by line, which row is acknowledged. Each
 * batch is compound: envelopes of two channels, a record with the newest row, a lazy audit record.
 */
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { batchOf, createChainMaker } from "@colloquy/testkit";

const [path = "", durability = "sync"] = process.argv.slice(2);
const store = await openSqliteStore({ path, durability: durability as "sync" | "os" });
const make = createChainMaker();
const channels = [make.channel(), make.channel()];
const { last_row: lastRow } = await store.recover();

// The maker gives the same envelopes every time, so it can be brought to where the log ends.
const ids = channels.map((channel) => channel.channel_id);
const nextBatch = () => ids.flatMap((id, index) => make.take(id, index + 2));
while ((make.head(ids[1] ?? "").row ?? 0) < lastRow) nextBatch();
if (lastRow === 0) await store.commit(batchOf({ channels }));

for (;;) {
  const envelopes = nextBatch();
  const row = envelopes.at(-1)?.row ?? 0;
  const records = [{ kind: "meta", id: "row", value: `${row}` }] as const;
  const lazy = { audit: [{ at: "2026", kind: "batch", row }] };
  await store.commit(batchOf({ envelopes, records, lazy }));
  process.stdout.write(`row ${row}\n`);
}
