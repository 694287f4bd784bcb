import { openSqliteStore } from "@colloquy/storage-sqlite";
import { dumpStore, makeTempFolder, until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { startProgram } from "./start-program.js";

it("reads from another process see whole commits in order, and never wait for the writer", {
  timeout: 60_000,
}, async () => {
  using folder = makeTempFolder();
  const path = folder.at("hub.db");
  const writer = startProgram("write-until-killed", path, "os");
  try {
    await writer.line("row 5");
    const reader = await openSqliteStore({ path, readonly: true });
    const [first, second] = await reader.listChannels();
    let rows = 0;
    for (let round = 0; round < 200 || rows < 500; round += 1) {
      const { last_row: lastRow } = await reader.recover();
      expect(lastRow % 5).toBe(0);
      expect(lastRow).toBeGreaterThanOrEqual(rows);
      rows = lastRow;
      const tail = await reader.readLog(Math.max(0, rows - 20));
      expect(tail.slice(0, 20).map((envelope) => envelope.row)).toEqual(
        Array.from({ length: 20 }, (_, index) => Math.max(0, rows - 20) + index + 1).slice(
          0,
          tail.length,
        ),
      );
      const page = await reader.readWal(first?.channel_id ?? "", { last: 30 });
      expect(page.envelopes.at(-1)?.position).toBe(page.head);
      expect(page.head % 2).toBe(0);
      expect((await reader.readHead(second?.channel_id ?? "")).position % 3).toBe(0);
    }
    // What is lazy is written when its time has come, also while commits follow each other.
    const audit = await until(async () => (await reader.readAudit()).length, {
      timeoutMs: 30_000,
      describe: "the lazy part of the writer's commits",
    });
    expect(audit).toBeGreaterThan(0);
    const { recovered } = await dumpStore(reader);
    expect(recovered).toMatchObject([{ snapshot: null }, { snapshot: null }]);
    await reader.close();
  } finally {
    await writer.kill();
  }
});
