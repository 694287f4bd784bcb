import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeTempFolder } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCli } from "./cli/run-cli.js";
import { startChatServer } from "./models/chat-server.js";
import { createFiddler, createTalker } from "./models/unruly-models.js";
import { runExample } from "./run-example.js";

const EXAMPLES = new URL("../examples/", import.meta.url);
/** It has a test of its own: test/crash/kill-the-hub.test.ts. */
const ELSEWHERE = "kill-the-hub";

const names = readdirSync(EXAMPLES).filter((name) =>
  existsSync(new URL(`${name}/main.ts`, EXAMPLES)),
);
const checked = names.filter((name) => existsSync(new URL(`${name}/check.ts`, EXAMPLES)));
const plain = names.filter((name) => !checked.includes(name) && name !== ELSEWHERE);

const sourceOf = (name: string) => readFileSync(new URL(`${name}/main.ts`, EXAMPLES), "utf8");
const withModels = plain.filter((name) => sourceOf(name).includes("openStage("));
const stored = plain.filter((name) => /openS(tage|tore)\(/.test(sourceOf(name)));
const recorded = plain.filter((name) => existsSync(new URL(`${name}/recordings`, EXAMPLES)));

describe("examples", () => {
  const printed: string[] = [];
  beforeEach(() => {
    printed.length = 0;
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words.join(" ")));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("are there", () => {
    expect(plain.length).toBeGreaterThanOrEqual(8);
    expect(plain).toContain("workflow");
    expect(withModels.length).toBeGreaterThanOrEqual(11);
    expect(recorded).toEqual(withModels);
    expect(stored.length).toBeGreaterThanOrEqual(withModels.length + 7);
    expect(checked).toEqual(expect.arrayContaining(["join-the-demo", "ten-line-agent"]));
  });

  it.each(plain)("%s shows what it promises", async (name) => {
    await runExample(name);
    expect(printed.length).toBeGreaterThan(0);
  });

  it.each(withModels)("%s runs on what its models have said before", async (name) => {
    using folder = makeTempFolder();
    vi.stubEnv("COLLOQUY_MODEL_RECORDINGS", folder.path);
    vi.stubEnv("COLLOQUY_MODEL_RECORD", "1");
    await runExample(name);
    const first = printed.splice(0);
    vi.stubEnv("COLLOQUY_MODEL_RECORD", "");
    vi.stubEnv("COLLOQUY_MODEL", "recorded");
    await runExample(name);
    expect(printed).toEqual(first);
    expect(printed.length).toBeGreaterThan(0);
  });

  it.each(stored)("%s leaves its log where colloquy reads it, and no other run's", async (name) => {
    using folder = makeTempFolder();
    const data = join(folder.path, "talk.db");
    vi.stubEnv("COLLOQUY_DATA", data);
    await runExample(name);
    const verified = await runCli(["wal", "verify", "--data", data]);
    expect(verified.stdout).toMatch(/^verified: [1-9]/);
    expect(verified.code).toBe(0);
    const listed = await runCli(["wal", "list", "--data", data, "--json"]);
    const channels = listed.values() as { channel_id: string; envelopes: number }[];
    expect(channels.length).toBeGreaterThan(0);
    for (const { channel_id, envelopes } of channels) {
      const read = await runCli(["wal", "read", channel_id, "--data", data, "--json"]);
      expect(read.values()).toHaveLength(envelopes);
    }
    await expect(runExample(name)).rejects.toThrow("exists already; name a new file");
  });

  it.each(withModels)("%s runs on the recording beside it", async (name) => {
    vi.stubEnv("COLLOQUY_MODEL", "recorded");
    await runExample(name);
    expect(printed.length).toBeGreaterThan(0);
  });

  it("say at once what a recording has no answer to", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    using folder = makeTempFolder();
    cpSync(new URL("star/recordings", EXAMPLES), folder.path, { recursive: true });
    const file = join(folder.path, "weather.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("will be", "was"));
    vi.stubEnv("COLLOQUY_MODEL", "recorded");
    vi.stubEnv("COLLOQUY_MODEL_RECORDINGS", folder.path);
    await expect(runExample("star")).rejects.toThrow(
      /^Weather: turn failed: the recording has no answer/,
    );
    expect(error).toHaveBeenCalledWith(expect.stringContaining("record it again"));
  }, 5_000);

  describe.each([
    ["only talks", createTalker],
    ["calls its tools without sense", createFiddler],
  ])("on a model behind a server that %s", (_, createModel) => {
    it.each(withModels)("%s keeps its order and ends, recorded too", async (name) => {
      using folder = makeTempFolder();
      vi.stubEnv("COLLOQUY_MODEL_RECORDINGS", folder.path);
      vi.stubEnv("COLLOQUY_MODEL_RECORD", "1");
      await using server = await startChatServer(createModel());
      vi.stubEnv("COLLOQUY_MODEL_BASE_URL", server.baseUrl);
      vi.stubEnv("COLLOQUY_MODEL_NAME", "small");
      vi.stubEnv("COLLOQUY_MODEL_KEY", "secret");
      await runExample(name);
      expect(printed.length).toBeGreaterThan(0);
      expect(server.requests.length).toBeGreaterThan(0);
      expect(server.requests[0]?.headers["authorization"]).toBe("Bearer secret");
      const asked = server.requests.length;
      const first = printed.splice(0);
      vi.unstubAllEnvs();
      vi.stubEnv("COLLOQUY_MODEL_RECORDINGS", folder.path);
      vi.stubEnv("COLLOQUY_MODEL", "recorded");
      await runExample(name);
      expect(printed).toEqual(first);
      expect(server.requests).toHaveLength(asked);
    });
  });

  it("that need something beside them find it, and an unknown name is refused", async () => {
    const good = await runAll(...checked);
    expect(good.code, good.output).toBe(0);
    for (const name of checked) expect(good.output).toContain(`== ${name}`);
    const bad = await runAll("nothing-like-it");
    expect(bad.code).toBe(2);
    expect(bad.output).toContain("There are ask-a-person, ");
  }, 120_000);
});

async function runAll(...args: readonly string[]) {
  const program = fileURLToPath(new URL("run-all.ts", EXAMPLES));
  const source = ["--import", "tsx", "--conditions=@colloquy/source"];
  const child = spawn(process.execPath, [...source, program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: out + err };
}
