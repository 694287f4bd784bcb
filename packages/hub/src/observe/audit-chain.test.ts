import { type AuditRecord, createPassport, createResume } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { batchOf, createFakeClock, createFakeIds } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubLimits } from "../core/hub-limits.js";
import { openHub } from "../open-hub.js";
import { createMemoryAuditLog } from "./memory-audit-log.js";
import { verifyAudit } from "./verify-audit.js";

async function open(limits: Partial<HubLimits> = {}, store = createMemoryStore()) {
  const clock = createFakeClock();
  const hub = await openHub({ store, clock, ids: createFakeIds(), limits });
  const register = async (name: string) => {
    const identity = { passport: createPassport({ name }), resume: createResume() };
    return (await hub.registerIdentity(identity)).agent_id ?? "";
  };
  const verify = () => verifyAudit((after) => store.readAudit({ after }));
  return { clock, hub, store, register, verify };
}

describe("the audit log of a hub", () => {
  it("has what the registry changes in the same commit, so that a killed process has both or none", async () => {
    const { store, register } = await open();
    const agent_id = await register("ada");
    store.crash();
    const again = store.reopen();
    const records = (await again.readAudit()).map(({ record }) => record);
    expect(records).toMatchObject([{ kind: "agent_registered", agent_id, name: "ada" }]);
    expect(await again.readRecord("agent", agent_id)).toContain("ada");
  });

  it("has every change of a key in the same commit", async () => {
    const { hub, store } = await open();
    const issued = await hub.keys.issue({ name: "ada" });
    const rotated = await hub.keys.rotate(issued.key.key_id, {}, "root");
    await hub.keys.revoke(rotated.key.key_id, "root");
    store.crash();
    const again = store.reopen();
    expect((await again.readAudit()).map(({ record }) => record)).toMatchObject([
      { kind: "key_issued", key_id: issued.key.key_id, name: "ada", by: "embedder" },
      { kind: "key_rotated", replaces: issued.key.key_id, by: "root" },
      { kind: "key_revoked", key_id: rotated.key.key_id, by: "root" },
    ]);
  });

  it("N-222 may be replaced by another one, which gets everything from then on", async () => {
    const { clock, hub, register } = await open();
    const first = hub.audit;
    const replacement = createMemoryAuditLog({ clock });
    const heard: AuditRecord[] = [];
    replacement.subscribe((record) => void heard.push(record), { kinds: ["agent_registered"] });
    hub.setAudit(replacement);
    const agent_id = await register("ada");
    await hub.setResume(agent_id, createResume({ summary: "new" }));
    await expect(register("ada")).rejects.toThrow("already registered");
    expect(hub.audit).toBe(replacement);
    const kinds = (await replacement.readAll()).map(({ kind }) => kind);
    expect(kinds).toEqual(["agent_registered", "resume_set", "refused"]);
    expect(heard).toMatchObject([{ kind: "agent_registered", agent_id, name: "ada" }]);
    expect(await first.readAll()).toEqual([]);
    expect(hub.health().audit_log_bytes).toBe(replacement.bytesWritten);
    expect(replacement.bytesWritten).toBeGreaterThan(0);
  });

  it("is asked by what it is about, in pages from either end", async () => {
    const { hub, register } = await open();
    const [a, b] = [await register("ada"), await register("bob")];
    for (let n = 0; n < 3; n += 1) hub.audit.append({ kind: "note", agent_id: a, n });
    const first = await hub.audit.query({ agent_id: a, limit: 2 });
    expect(first.records.map(({ record }) => record.kind)).toEqual(["agent_registered", "note"]);
    const rest = await hub.audit.query({ agent_id: a, limit: 3, after: first.next ?? 0 });
    expect(rest.records.map(({ record }) => record["n"])).toEqual([1, 2]);
    expect(rest.next).toBeNull();
    const newest = await hub.audit.query({ order: "newest", limit: 1 });
    expect(newest.records[0]?.record).toMatchObject({ kind: "note", n: 2 });
    expect(newest.next).toBe(newest.records[0]?.sequence);
    expect((await hub.audit.query({ agent_id: b })).records).toHaveLength(1);
  });

  it("tells a subscriber of what it asked for, and of no more once it has stopped", async () => {
    const { hub, register } = await open();
    const heard: unknown[] = [];
    const stop = hub.audit.subscribe(({ n }) => void heard.push(n), { agent_id: "x" });
    await register("ada");
    hub.audit.append({ kind: "note", agent_id: "x", n: 1 });
    hub.audit.append({ kind: "note", agent_id: "y", n: 2 });
    stop();
    hub.audit.append({ kind: "note", agent_id: "x", n: 3 });
    expect(heard).toEqual([1]);
  });
});

describe("the chain", () => {
  it("is whole, also when the hub was opened again, and shows what was changed", async () => {
    const { hub, register, store } = await open();
    await register("ada");
    hub.audit.append({ kind: "note", n: 1 });
    await hub.close();
    const later = await open({}, store.reopen());
    later.hub.audit.append({ kind: "note", n: 2 });
    const { records } = await later.hub.audit.query();
    expect(records).toHaveLength(3);
    expect(await later.verify()).toEqual({
      ...{ isWhole: true, fault: null, records: 3, first: 1, last: 3 },
      head: records[2]?.hash,
    });
    const [one, two, three] = records;
    if (one === undefined || two === undefined || three === undefined) throw new Error("too few");
    const check = (...list: typeof records) =>
      verifyAudit(async (after) => list.filter(({ sequence }) => sequence > after));
    const changed = { ...two, record: { ...two.record, n: 7 } };
    expect((await check(one, changed, three)).fault).toEqual({
      ...{ sequence: 2, reason: "was changed: its hash is another one" },
    });
    expect((await check(one, three)).fault?.sequence).toBe(3);
    expect((await check(two, three)).fault?.reason).toContain("nothing says");
    expect((await check(one, { ...two, prev_hash: "" })).fault?.reason).toContain("not tied");
    expect((await check()).isWhole).toBe(true);
  });
});

describe("retention", () => {
  it("prunes the oldest beyond the bound, says so in the log, and the chain stays whole", async () => {
    const { hub, store } = await open({ maxAuditRecords: 20 });
    for (let n = 0; n < 200; n += 1) {
      hub.audit.append({ kind: "note", n });
      if (n % 10 === 9) await hub.audit.readAll();
    }
    await hub.close();
    const again = await open({ maxAuditRecords: 20 }, store.reopen());
    const { records } = await again.hub.audit.query();
    expect(records.length).toBeGreaterThanOrEqual(20);
    expect(records.length).toBeLessThanOrEqual(22);
    const pruned = records.filter(({ record }) => record.kind === "audit_pruned").at(-1);
    const oldest = records[0];
    expect(pruned?.record).toMatchObject({
      ...{ up_to: (oldest?.sequence ?? 0) - 1, hash: oldest?.prev_hash },
    });
    expect(records.some(({ record }) => record["n"] === 199)).toBe(true);
    expect((await again.verify()).isWhole).toBe(true);
  });

  it("prunes by age, and leaves what is young", async () => {
    const { clock, hub, verify } = await open({ maxAuditAgeMs: 60_000 });
    hub.audit.append({ kind: "old" });
    await hub.audit.readAll();
    await clock.advanceAsync(50_000);
    hub.audit.append({ kind: "young" });
    await hub.audit.readAll();
    await clock.advanceAsync(30_000);
    hub.audit.append({ kind: "new" });
    await hub.audit.readAll();
    await clock.advanceAsync(40_000);
    const kinds = (await hub.audit.readAll()).map(({ kind }) => kind);
    expect(kinds).not.toContain("old");
    expect(kinds).toContain("new");
    expect((await verify()).isWhole).toBe(true);
  });

  it("does not take a start that was cut off for one that was pruned", async () => {
    const { hub, store, verify } = await open({ maxAuditRecords: 20 });
    for (let n = 0; n < 10; n += 1) hub.audit.append({ kind: "note", n });
    await hub.audit.readAll();
    await store.commit(batchOf({ lazy: { audit: [], prune_audit_to: 4 } }));
    expect((await verify()).fault).toMatchObject({ sequence: 5 });
  });
});
