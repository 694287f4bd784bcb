import type { AuditRecord } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createRecordingLogger } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createCommitter } from "../commit/group-committer.js";
import { createAuditLog } from "./create-audit-log.js";

const AT = "2026-01-01T00:00:00.000000+00:00";

function open(store = createMemoryStore()) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const committer = createCommitter({
    store,
    clock,
    logger,
    startRow: 0,
    onFailed: () => undefined,
  });
  return { clock, store, committer, audit: createAuditLog({ clock, committer, store }) };
}

describe("createAuditLog", () => {
  it("N-219 reads back exactly the records that were appended, in order", async () => {
    const { audit } = open();
    const records = [
      { at: "some day", kind: "first", facts: { nested: [1, null, "two"] } },
      { at: "another", kind: "second", flag: false },
    ];
    for (const record of records) audit.append(record);
    expect(await audit.readAll()).toEqual(records);
  });

  it("stamps the time, counts bytes, and keeps what JSON cannot say as text", async () => {
    const { audit, clock } = open();
    expect(audit.bytesWritten).toBe(0);
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    audit.append({ kind: "odd", big: 12n, error: new Error("why"), none: undefined, cycle });
    clock.advance(1);
    audit.append({ kind: "plain" });
    expect(await audit.readAll()).toEqual([
      { at: AT, kind: "odd", big: "12", error: "why", none: null, cycle: "[object Object]" },
      { at: "2026-01-01T00:00:00.001000+00:00", kind: "plain" },
    ]);
    expect(audit.bytesWritten).toBeGreaterThan(100);
  });

  it("reads records of earlier hubs first, and more than one page", async () => {
    const first = open();
    for (let n = 0; n < 1_500; n += 1) first.audit.append({ kind: "old", n });
    await first.committer.flush();
    await first.store.close();
    const { audit } = open(first.store.reopen());
    for (let n = 1_500; n < 2_000; n += 1) audit.append({ kind: "new", n });
    const records = await audit.readAll();
    expect(records.map((record) => record["n"])).toEqual(
      Array.from({ length: 2_000 }, (_, n) => n),
    );
  });

  it("tells subscribers at once, whatever another one does, until they stop", () => {
    const { audit } = open();
    const seen: AuditRecord[] = [];
    audit.subscribe(() => {
      throw new Error("broken");
    });
    const see = (record: AuditRecord): void => void seen.push(record);
    const stops = [audit.subscribe(see), audit.subscribe(see)];
    audit.append({ kind: "one" });
    stops[0]?.();
    stops[0]?.();
    audit.append({ kind: "two" });
    expect(seen.map(({ kind }) => kind)).toEqual(["one", "one", "two"]);
  });
});
