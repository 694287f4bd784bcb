import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeLink } from "@colloquy/client/node";
import { createSystemClock, type HubFrame, type LinkConnection } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunningCli, runCli, startCli } from "./run-cli.js";
import { spawnServe } from "./spawn-serve.js";

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-serve-"));
  data = join(folder, "deep", "hub.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A connection to a hub, and what came over it. */
interface Connected {
  readonly connection: LinkConnection;
  readonly frames: readonly HubFrame[];
  /** Close code, once it has closed. */
  readonly closed: Promise<number>;
}

async function connect(url: string): Promise<Connected> {
  const frames: HubFrame[] = [];
  let tellClosed: (code: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => {
    tellClosed = resolve;
  });
  const connection = await createNodeLink(url).connect(
    {
      onFrame: (frame) => void frames.push(frame),
      onBadFrame: (error) => {
        throw error;
      },
      onClosed: ({ code }) => tellClosed(code),
    },
    new AbortController().signal,
  );
  return { connection, frames, closed };
}

let requests = 0;

/** Asks for one operation and waits for its answer. */
async function request(
  { connection, frames }: Connected,
  op: string,
  params: Record<string, unknown>,
): Promise<HubFrame> {
  requests += 1;
  const request_id = `request ${requests}`;
  connection.send({ kind: "request", request_id, op, params });
  return await until(() =>
    frames.find((frame) => frame.kind === "response" && frame.request_id === request_id),
  );
}

const passport = (name: string, auth = {}) => ({ passport: { name, auth }, resume: {} });

describe("colloquy serve in a process of its own", () => {
  it("serves, is read beside, drains on SIGTERM and ends with 0", { timeout: 60_000 }, async () => {
    const hub = spawnServe("--port", "0", "--data", data, "--json");
    const line = await until(() => hub.stdout.split("\n")[0], {
      timeoutMs: 40_000,
      describe: () => `the first line of a hub: ${hub.stderr}`,
    });
    const facts = JSON.parse(line) as { url: string; pid: number };
    expect(facts).toMatchObject({ data, durability: "sync", auth: "none", pid: hub.child.pid });
    expect(facts.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);

    const health = await fetch(`${facts.url.replace("ws:", "http:")}/healthz`);
    expect(await health.json()).toMatchObject({ status: "ok" });
    const socket = await connect(facts.url);
    expect(await request(socket, "register", passport("alice"))).toMatchObject({ ok: true });

    expect((await runCli(["doctor", "--data", data])).stdout).toContain(
      `held by process ${facts.pid}`,
    );
    expect((await runCli(["wal", "verify", "--data", data])).code).toBe(0);
    const second = await runCli(["serve", "--port", "0", "--data", data]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`is held by process ${facts.pid}`);

    hub.child.kill("SIGTERM");
    expect(await hub.ended).toBe(0);
    expect(await socket.closed).toBe(1012);
    expect(hub.stderr).toContain("draining; a second signal stops at once");
    expect(hub.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect((await runCli(["doctor", "--data", data])).stdout).toContain("no hub holds it");
  });

  it("refuses to be reached from elsewhere without authentication", {
    timeout: 60_000,
  }, async () => {
    const hub = spawnServe("--host", "0.0.0.0", "--port", "0", "--data", data);
    expect(await hub.ended).toBe(2);
    expect(hub.stdout).toBe("");
    expect(hub.stderr).toMatch(/^error: setting host \(from flag --host\) is 0\.0\.0\.0/);
    expect(hub.stderr).toContain("Set auth to api_key");
  });
});

describe("colloquy serve", () => {
  const serve = (args: readonly string[], env: Record<string, string> = {}): RunningCli =>
    startCli(["serve", "--port", "0", "--data", data, ...args], {
      clock: createSystemClock(),
      env: { COLLOQUY_LOG_LEVEL: "warn", ...env },
    });
  const urlOf = async ({ terminal }: RunningCli): Promise<string> =>
    /ws:\/\/\S+/.exec(await until(() => terminal.stdout))?.[0] ?? "";

  it("says in one line where it listens, and stops on a signal", async () => {
    const hub = serve([]);
    await until(() => hub.terminal.listening);
    hub.terminal.signal("SIGINT");
    const { code, lines, stderr } = await hub.done;
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^Colloquy listens on ws:\/\/127\.0\.0\.1:\d+ \(data .*hub\.db, durability sync, auth none\)$/,
    );
    expect(stderr).toBe("");
  });

  it("asks for keys from a config file, which it never shows", async () => {
    const config = join(folder, "hub.json");
    const keys = { alice: "open sesame" };
    writeFileSync(config, JSON.stringify({ auth: "api_key", apiKeys: keys, logLevel: "debug" }));
    const hub = serve(["--config", config], { COLLOQUY_LOG_LEVEL: "" });
    const socket = await connect(await urlOf(hub));
    const withKey = (token: string) => passport("alice", { scheme: "api_key", claim: { token } });
    const refused = await request(socket, "register", withKey("guess"));
    expect(refused).toMatchObject({
      ok: false,
      error_message: expect.stringContaining("mismatch"),
    });
    expect(await request(socket, "register", passport("alice"))).toMatchObject({ ok: false });
    expect(await request(socket, "register", withKey("open sesame"))).toMatchObject({ ok: true });
    await until(() => hub.terminal.listening);
    hub.terminal.signal("SIGTERM");
    const { code, stdout, stderr } = await hub.done;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("open sesame");
    const printed = await runCli(["serve", "--config", config, "--print-config"]);
    expect(printed.stdout).not.toContain("open sesame");
    expect(printed.stdout).toMatch(/^apiKeys +\{"alice":"\(hidden\)"\} +file /m);
  });

  it("prints every setting and where it comes from", async () => {
    const { code, lines } = await runCli(["serve", "--port", "1", "--print-config"], {
      env: { COLLOQUY_DURABILITY: "os" },
    });
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^port +1 +flag --port$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^durability +os +environment variable COLLOQUY_DURABILITY$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^limits\.snapshotEvery +100 +default$/));
    const json = await runCli(["serve", "--print-config", "--json"]);
    expect(json.values()[0]).toContainEqual({ path: "auth", value: "none", source: "default" });
  });

  it("fails in one sentence where it cannot listen, and lets the data file go", async () => {
    const first = serve([]);
    const { port } = new URL(await urlOf(first));
    const other = ["serve", "--data", join(folder, "other.db")];
    const taken = await runCli([...other, "--port", port]);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain(`port ${port}: something else listens there.`);
    const nowhere = await runCli([...other, "--host", "192.0.2.1", "--allow-unauthenticated"]);
    expect(nowhere.stderr).toContain("this machine has no such address");
    await until(() => first.terminal.listening);
    first.terminal.signal("SIGTERM");
    await first.done;
    expect((await runCli(["doctor", ...other.slice(1)])).stdout).toContain("no hub holds it");
  });

  it("refuses wrong and unknown flags as wrong calls", async () => {
    const wrong = await runCli(["serve", "--port", "many"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('setting port (from flag --port): received "many".');
    const unknown = await runCli(["serve", "--durabilty", "os"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("Did you mean --durability?");
  });

  it("stops at once after an error that nobody caught", async () => {
    const hub = serve(["--log-level", "error", "--log-format", "json"]);
    await until(() => hub.terminal.listening);
    hub.terminal.fault(new Error("unforeseen"));
    expect(hub.terminal.exits).toEqual([1]);
    expect(JSON.parse(hub.terminal.stderr)).toMatchObject({ err: { message: "unforeseen" } });
    hub.terminal.signal("SIGTERM");
    await hub.done;
  });
});

describe("colloquy", () => {
  it("prints its version and its help", async () => {
    expect((await runCli(["--version"])).stdout).toBe("0.0.0-test\n");
    const help = await runCli(["--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("Exit codes: 0 done, 1 failed");
  });

  it("takes an unknown command for a wrong call, and suggests what was meant", async () => {
    const { code, stderr } = await runCli(["wal", "lst"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean list?");
    expect((await runCli(["wal"])).code).toBe(2);
    expect((await runCli([])).code).toBe(2);
  });
});
