import {
  createSecretSource,
  InvalidInputError,
  NotFoundError,
  ProtocolError,
  type RecordWrite,
  StoreError,
  silentLogger,
  UnavailableError,
} from "@colloquy/protocol";
import { createFakeClock, createFakeIds } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { IssueKey } from "./api-keys.js";
import { createKeyRing, type KeyChange } from "./key-ring.js";

const HOUR = 3_600_000;

function open(maxKeys = 100) {
  const clock = createFakeClock();
  const stored = new Map<string, string>();
  const changes: KeyChange[] = [];
  const disk = { fails: false };
  const ports = {
    ...{ clock, maxKeys, logger: silentLogger, ids: createFakeIds() },
    secrets: createSecretSource(),
    async write(records: readonly RecordWrite[], change: KeyChange) {
      await Promise.resolve();
      if (disk.fails) throw new StoreError("disk full");
      for (const { id, value } of records) {
        if (value === null) stored.delete(id);
        else stored.set(id, value);
      }
      changes.push(change);
    },
  };
  const ring = createKeyRing(ports);
  /** What a start on the same store would have. */
  const reopen = () => {
    const again = createKeyRing(ports);
    again.restore([...stored].map(([id, value]) => ({ kind: "key" as const, id, value })));
    return again;
  };
  return { ring, clock, stored, changes, disk, reopen };
}

describe("a key ring", () => {
  it("shows a secret once, and stores nothing from which it could be had", async () => {
    const { ring, stored, changes } = open();
    const { secret, key } = await ring.issue({ name: "ada", label: "laptop" });
    expect(secret).toMatch(/^cq_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
    expect(key).toMatchObject({
      name: "ada",
      role: "participant",
      status: "active",
      label: "laptop",
    });
    const [start] = secret.split(/_(?=[A-Za-z0-9_-]{43}$)/);
    expect(key.masked).toBe(`${start}_…`);
    const tail = secret.slice(-43);
    expect(JSON.stringify([[...stored], ring.list(), changes])).not.toContain(tail);
    expect(ring.find(secret)?.key_id).toBe(key.key_id);
    for (const wrong of ["", "x", tail, `${secret}x`, secret.slice(0, -1), secret.toUpperCase()]) {
      expect(ring.find(wrong)).toBeNull();
    }
  });

  it("keeps several keys of one name, each with an end of its own", async () => {
    const { ring, clock } = open();
    await ring.issue({ name: "ada", ttlMs: HOUR });
    await ring.issue({ name: "ada" });
    await ring.issue({ name: "bob" });
    clock.advance(HOUR - 1);
    expect(ring.list("ada").map(({ status }) => status)).toEqual(["active", "active"]);
    clock.advance(1);
    expect(ring.list("ada").map(({ status }) => status)).toEqual(["expired", "active"]);
    expect(ring.list()).toHaveLength(3);
  });

  it("rotates with an overlap, after which the old key is over", async () => {
    const { ring, clock, reopen } = open();
    const old = await ring.issue({ name: "s", role: "service", agents: ["team-*"], label: "x" });
    const next = await ring.rotate(old.key.key_id, { overlapMs: HOUR });
    expect(next.key).toMatchObject({
      ...{ name: "s", role: "service", agents: ["team-*"], label: "x" },
      replaces: old.key.key_id,
    });
    expect(next.secret).not.toBe(old.secret);
    const [former] = ring.list();
    expect(former).toMatchObject({ status: "active", replaced_by: next.key.key_id });
    await expect(ring.rotate(old.key.key_id)).rejects.toThrow("has been rotated already");
    clock.advance(HOUR);
    expect(ring.list().map(({ status }) => status)).toEqual(["expired", "active"]);
    expect(reopen().list()).toEqual(ring.list());
  });

  it("lets no rotation lengthen a life", async () => {
    const { ring, clock } = open();
    const { key } = await ring.issue({ name: "ada", ttlMs: HOUR });
    await ring.rotate(key.key_id, { overlapMs: 5 * HOUR });
    clock.advance(HOUR);
    expect(ring.list()[0]?.status).toBe("expired");
  });

  it("revokes for good, and tells watchers and the audit log once it is durable", async () => {
    const { ring, changes, reopen } = open();
    const { key } = await ring.issue({ name: "ada" });
    const heard: string[] = [];
    const stop = ring.watch((id) => heard.push(`${id} ${ring.get(id)?.revoked_at !== null}`));
    await ring.revoke(key.key_id, "root");
    await ring.revoke(key.key_id, "root");
    stop();
    expect(heard).toEqual([`${key.key_id} true`]);
    expect(changes.map(({ kind, by }) => [kind, by])).toEqual([
      ["key_issued", "embedder"],
      ["key_revoked", "root"],
    ]);
    expect(reopen().list()[0]?.status).toBe("revoked");
    await expect(ring.rotate(key.key_id)).rejects.toBeInstanceOf(ProtocolError);
    await expect(ring.revoke("nothing")).rejects.toBeInstanceOf(NotFoundError);
  });

  it("leaves no trace of a change that was not stored", async () => {
    const { ring, disk, changes } = open();
    const { key } = await ring.issue({ name: "ada" });
    const before = ring.list();
    disk.fails = true;
    await expect(ring.issue({ name: "bob" })).rejects.toBeInstanceOf(StoreError);
    await expect(ring.revoke(key.key_id)).rejects.toBeInstanceOf(StoreError);
    expect(ring.list()).toEqual(before);
    expect(changes).toHaveLength(1);
    disk.fails = false;
    await ring.revoke(key.key_id);
    expect(ring.list()[0]?.status).toBe("revoked");
  });

  it("makes one change at a time, so that none is lost", async () => {
    const { ring } = open();
    const { key } = await ring.issue({ name: "ada" });
    const [rotated] = await Promise.all([ring.rotate(key.key_id), ring.revoke(key.key_id)]);
    expect(ring.list()[0]).toMatchObject({
      status: "revoked",
      replaced_by: rotated.key.key_id,
    });
  });

  it("is bounded: keys that are over make room, those that count do not", async () => {
    const { ring } = open(2);
    const first = await ring.issue({ name: "a" });
    await ring.issue({ name: "b" });
    await expect(ring.issue({ name: "c" })).rejects.toBeInstanceOf(UnavailableError);
    await ring.revoke(first.key.key_id);
    await ring.issue({ name: "c" });
    expect(ring.list().map(({ name }) => name)).toEqual(["b", "c"]);
  });

  it("knows whether there are operators, and reads past what it cannot read", async () => {
    const { ring, stored, reopen } = open();
    expect(ring.hasOperators).toBe(false);
    const { key } = await ring.issue({ name: "root", role: "read_operator" });
    expect(ring.hasOperators).toBe(true);
    stored.set("broken", "{");
    expect(reopen().list()).toHaveLength(1);
    await ring.revoke(key.key_id);
    expect(ring.hasOperators).toBe(false);
  });

  it.each<[string, IssueKey]>([
    ["name", { name: "" }],
    ["role", { name: "a", role: "king" as never }],
    ["agents", { name: "a", role: "service" }],
    ["agents", { name: "a", agents: ["x"] }],
    ["agents", { name: "a", role: "service", agents: [""] }],
    ["label", { name: "a", label: "x".repeat(201) }],
    ["ttlMs", { name: "a", ttlMs: 0 }],
    ["ttlMs", { name: "a", ttlMs: Number.NaN }],
  ])("names %s when it is wrong", async (field, input) => {
    const { ring, stored } = open();
    const refusal: unknown = await ring.issue(input).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidInputError);
    expect(refusal).toMatchObject({ details: { field } });
    expect(stored.size).toBe(0);
  });
});
