import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const EXAMPLES = new URL("../examples/", import.meta.url);
/** It has a test of its own: test/crash/kill-the-hub.test.ts. */
const ELSEWHERE = "kill-the-hub";

const names = readdirSync(EXAMPLES).filter((name) =>
  existsSync(new URL(`${name}/main.ts`, EXAMPLES)),
);
const checked = names.filter((name) => existsSync(new URL(`${name}/check.ts`, EXAMPLES)));
const plain = names.filter((name) => !checked.includes(name) && name !== ELSEWHERE);

describe("examples", () => {
  const printed: string[] = [];
  beforeEach(() => {
    printed.length = 0;
    vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words.join(" ")));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("are there", () => {
    expect(plain.length).toBeGreaterThanOrEqual(8);
    expect(plain).toContain("workflow");
    expect(checked).toEqual(expect.arrayContaining(["join-the-demo", "ten-line-agent"]));
  });

  it.each(plain)("%s shows what it promises", async (name) => {
    await import(new URL(`${name}/main.ts`, EXAMPLES).href);
    expect(printed.length).toBeGreaterThan(0);
  });

  it("that need something beside them find it, and an unknown name is refused", async () => {
    const good = await runAll(...checked);
    expect(good.code, good.output).toBe(0);
    for (const name of checked) expect(good.output).toContain(`== ${name}`);
    const bad = await runAll("nothing-like-it");
    expect(bad.code).toBe(2);
    expect(bad.output).toContain("There are consulting, ");
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
