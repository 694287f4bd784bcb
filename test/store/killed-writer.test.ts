import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createChainMaker, dumpStore, makeTempFolder, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startProgram } from "./start-program.js";

/** Envelopes per batch of the program. */
const BATCH = 5;
const KILLS = 6;

/** What the program writes, up to a row. */
function expectedLog(rows: number) {
  const make = createChainMaker();
  const ids = [make.channel(), make.channel()].map((channel) => channel.channel_id);
  const log = [];
  while (log.length < rows) log.push(...ids.flatMap((id, index) => make.take(id, index + 2)));
  return log;
}

describe("a process that is killed while it commits", () => {
  it.each(["sync", "os"])(
    "F-083 F-088 durability %s: every acknowledged batch is there, and no part of another",
    { timeout: 120_000 },
    async (durability) => {
      using folder = makeTempFolder();
      const path = folder.at("hub.db");
      let acknowledged = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const writer = startProgram("write-until-killed", path, durability);
        await writer.line("row ");
        const enough = kill * 37;
        await until(() => writer.lines.length > enough, { timeoutMs: 20_000 });
        await writer.kill();
        acknowledged = Number(writer.lines.at(-1)?.slice("row ".length));
        const reader = await openSqliteStore({ path, readonly: true });
        const rows = (await reader.recover()).last_row;
        expect(rows).toBeGreaterThanOrEqual(acknowledged);
        expect(rows % BATCH).toBe(0);
        expect(await reader.readRecord("meta", "row")).toBe(`${rows}`);
        const from = Math.max(0, rows - 900);
        expect(await reader.readLog(from)).toEqual(expectedLog(rows).slice(from, rows));
        const { recovered } = await dumpStore(reader);
        expect(recovered).toMatchObject([
          { head: { position: (rows / BATCH) * 2 } },
          { head: { position: (rows / BATCH) * 3 } },
        ]);
        await reader.close();
      }
      expect(acknowledged).toBeGreaterThan(KILLS * 37);
    },
  );
});
