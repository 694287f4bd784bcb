import { batchOf, makeTempFolder } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

it("counts the bytes of the audit log, not its characters", async () => {
  using folder = makeTempFolder();
  const store = await openSqliteStore({ path: folder.at("hub.db") });
  const record = { at: "2026-01-01T00:00:00.000000+00:00", kind: "grüße", name: "日本" };
  await store.commit(batchOf({ lazy: { audit: [record] } }));
  await store.readAudit();
  expect(store.health().audit_bytes).toBe(Buffer.byteLength(JSON.stringify(record)));
  await store.close();
});
