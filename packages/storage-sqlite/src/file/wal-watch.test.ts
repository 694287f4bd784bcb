import { statSync } from "node:fs";
import {
  batchOf,
  createChainMaker,
  createFakeClock,
  createRecordingLogger,
  makeTempFolder,
} from "@colloquy/testkit";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

const ALERT_BYTES = 256 * 1_024;

it("F-082 a long read that keeps the journal from being emptied is reported, and the space comes back", async () => {
  using folder = makeTempFolder();
  const path = folder.at("hub.db");
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const store = await openSqliteStore({
    path,
    durability: "os",
    walAlertBytes: ALERT_BYTES,
    clock,
    logger,
  });
  const make = createChainMaker();
  const channel = make.channel();
  await store.commit(batchOf({ channels: [channel] }));
  const write = async (commits: number) => {
    for (let count = 0; count < commits; count += 1) {
      await store.commit(batchOf({ envelopes: make.take(channel.channel_id, 50) }));
    }
  };
  const walBytes = () => statSync(`${path}-wal`).size;
  const reader = new Database(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM envelope").get();
  await write(200);
  expect(walBytes()).toBeGreaterThan(ALERT_BYTES);
  clock.advance(1_000);
  expect(store.health()).toMatchObject({
    healthy: true,
    details: { checkpoint_blocked: true, wal_bytes: walBytes() },
  });
  await write(100);
  clock.advance(1_000);
  expect(logger.at("warn")).toMatchObject([
    { message: expect.stringContaining("end that read"), fields: { alert_bytes: ALERT_BYTES } },
  ]);
  reader.exec("COMMIT");
  reader.close();
  clock.advance(1_000);
  expect(walBytes()).toBeLessThanOrEqual(ALERT_BYTES);
  expect(store.health()).toMatchObject({ details: { checkpoint_blocked: false } });
  expect(logger.at("info")).toMatchObject([{ message: expect.stringContaining("emptied again") }]);
  expect((await store.readHead(channel.channel_id)).position).toBe(15_000);
  await store.close();
});
