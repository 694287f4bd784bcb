import { copyFileSync, existsSync, linkSync, rmSync, statSync, truncateSync } from "node:fs";
import { batchOf, createChainMaker, makeTempFolder } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

/** The files of a store whose newest commits are in its log alone, as after a kill. */
async function leaveLog(from: string, to: string): Promise<void> {
  const store = await openSqliteStore({ path: from });
  const make = createChainMaker();
  const channel = make.channel();
  const envelopes = [make.next(channel.channel_id)];
  await store.commit(batchOf({ channels: [channel], envelopes }));
  for (const ending of ["", "-wal"]) copyFileSync(`${from}${ending}`, `${to}${ending}`);
  await store.close();
}

it.each(["emptied", "deleted"])(
  "a file that was %s does not take its log with it",
  async (fate) => {
    using folder = makeTempFolder();
    const path = folder.at("hub.db");
    await leaveLog(folder.at("first.db"), path);
    const { size } = statSync(`${path}-wal`);
    expect(size).toBeGreaterThan(0);
    if (fate === "deleted") rmSync(path);
    else truncateSync(path, 0);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: "store_failed" });
    await expect(openSqliteStore({ path })).rejects.toThrow(
      /its log .*hub\.db-wal holds \d+ bytes/,
    );
    expect(statSync(`${path}-wal`).size).toBe(size);
    rmSync(`${path}-wal`);
    await (await openSqliteStore({ path })).close();
  },
);

it("a file with several names has no owner, so that there are never two", async () => {
  using folder = makeTempFolder();
  const path = folder.at("hub.db");
  const store = await openSqliteStore({ path });
  const other = folder.at("other.db");
  linkSync(path, other);
  await expect(openSqliteStore({ path: other })).rejects.toThrow("by hard links: remove them");
  expect(existsSync(`${other}-lock`)).toBe(false);
  await store.close();
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: "store_failed" });
  rmSync(other);
  await (await openSqliteStore({ path })).close();
});
