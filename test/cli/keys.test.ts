import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNoAuth, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { createSystemClock } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readText } from "../source-files.js";
import { runCli } from "./run-cli.js";

const clock = createSystemClock({ unref: true });

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-keys-"));
  data = join(folder, "deep", "hub.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keys = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(["keys", ...args], { clock, env: { COLLOQUY_DATA: data, ...env } });

describe("colloquy keys on a data file", () => {
  it("issues, lists, rotates and revokes, and prints a secret once", async () => {
    const added = await keys(["add", "--name", "ada", "--ttl", "90d", "--label", "laptop"]);
    expect(added.code).toBe(0);
    const [secret = ""] = added.lines;
    expect(added.lines).toEqual([expect.stringMatching(/^cq_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)]);
    expect(added.stderr).toContain("of participant ada");
    const id = secret.slice(3, 35);
    const rotated = await keys(["rotate", id, "--overlap", "2h", "--json"]);
    expect(rotated.values()).toMatchObject([{ key: { name: "ada", replaces: id } }]);
    const revoked = await keys(["revoke", id]);
    expect(revoked.lines).toEqual([`revoked the key ${id} of ada`]);
    const listed = await keys(["list", "--json", "--name", "ada"]);
    expect(listed.values()).toMatchObject([{ status: "revoked" }, { status: "active" }]);
    const audited = await runCli(["audit", "read", "--json", "--data", data], { clock });
    expect(audited.values()).toMatchObject([
      { record: { kind: "key_issued", key_id: id, name: "ada", by: "command line" } },
      { record: { kind: "key_rotated", replaces: id } },
      { record: { kind: "key_revoked", key_id: id } },
    ]);
    const table = await keys(["list"]);
    expect(table.stdout).toContain("laptop");
    expect(listed.stdout + table.stdout).not.toContain(secret.slice(-43));
  });

  it("makes a key that the hub on that file accepts", async () => {
    const { lines } = await keys(["add", "--name", "crew", "--role", "service", "--for", "crew-*"]);
    const hub = await openHub({ store: await openSqliteStore({ path: data, clock }) });
    try {
      expect(hub.keys.list()).toMatchObject([
        { name: "crew", role: "service", agents: ["crew-*"] },
      ]);
      const busy = await keys(["add", "--name", "late"]);
      expect(busy.code).toBe(1);
      expect(busy.stderr).toContain("--hub");
      expect((await keys(["list", "--json"])).values()).toHaveLength(lines.length);
    } finally {
      await hub.close();
    }
  });

  it("says what is wrong with a call", async () => {
    const missing = await keys(["list"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("no data file")]);
    expect((await keys(["revoke", "x"])).stderr).toContain("no data file");
    expect((await keys(["add"])).code).toBe(2);
    expect((await keys(["add", "--name", "a", "--role", "king"])).code).toBe(2);
    expect((await keys(["add", "--name", "a", "--ttl", "soon"])).code).toBe(2);
    const service = await keys(["add", "--name", "a", "--role", "service"]);
    expect([service.code, service.stderr]).toEqual([1, expect.stringContaining("agents")]);
    expect((await keys(["revoke", "x"])).stderr).toContain("API key not found");
    expect((await keys(["list", "--hub", "ws://127.0.0.1:1"])).stderr).toContain("COLLOQUY_TOKEN");
  });
});

describe("colloquy keys on a running hub", () => {
  it("F-154 works with an operator's key, and with no other", async () => {
    const operator = (await keys(["add", "--name", "root", "--role", "operator"])).lines[0] ?? "";
    const agent = (await keys(["add", "--name", "ada"])).lines[0] ?? "";
    const hub = await openHub({
      store: await openSqliteStore({ path: data, clock }),
      authenticators: [createNoAuth()],
    });
    try {
      const { url } = await serveWebSocket(hub);
      const ask = (token: string, ...args: string[]) =>
        keys([...args, "--hub", url], { COLLOQUY_TOKEN: token });
      for (const token of [agent, "guess"]) {
        const refused = await ask(token, "add", "--name", "mallory");
        expect(refused.code).toBe(1);
        expect(refused.stdout + refused.stderr).not.toContain(token.slice(-43));
      }
      expect(hub.keys.list("mallory")).toEqual([]);
      const added = await ask(operator, "add", "--name", "bob", "--ttl", "1h");
      expect(added.lines[0]).toMatch(/^cq_/);
      const [bob] = hub.keys.list("bob");
      const rotated = await ask(operator, "rotate", bob?.key_id ?? "", "--overlap", "0");
      expect(rotated.code).toBe(0);
      expect(hub.keys.list("bob").map(({ status }) => status)).toEqual(["expired", "active"]);
      const [, next] = hub.keys.list("bob");
      expect((await ask(operator, "revoke", next?.key_id ?? "")).code).toBe(0);
      expect((await ask(operator, "list", "--json")).values()).toEqual(hub.keys.list());
    } finally {
      await hub.close();
    }
    expect(
      (await keys(["list", "--hub", "ws://127.0.0.1:1"], { COLLOQUY_TOKEN: "x" })).stderr,
    ).toContain("cannot be reached");
  });
});

describe("colloquy serve with auth api_key", () => {
  it("does not start without any key, and names the setting", async () => {
    const args = ["serve", "--auth", "api_key", "--port", "0", "--host", "0.0.0.0"];
    const refused = await runCli(args, { clock, env: { COLLOQUY_DATA: data } });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("setting auth is api_key");
    expect(refused.stderr).toContain("colloquy keys add");
  });
});

describe("docs/security.md", () => {
  const page = readText("docs/security.md");
  it("names every role, scheme and code that there is", async () => {
    const { ACCESS_ROLES } = await import("@colloquy/protocol");
    for (const word of [...ACCESS_ROLES, "none", "api_key", "4010", "maxApiKeys"]) {
      expect(page, word).toContain(word);
    }
  });
});
