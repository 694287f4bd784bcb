import { fileURLToPath } from "node:url";
import { until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { startColloquyHub } from "./harness/hub-process.js";
import { startProcess } from "./harness/line-process.js";
import { PYTHON } from "./harness/prepare-python.js";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it("the guide for AG2's users does what it says, line by line", async () => {
  await using open = await startColloquyHub();
  await using keyed = await startColloquyHub({ dora: "key-of-dora", "dora-2": "another" });
  const lines: Record<string, unknown>[] = [];
  const args = [pathOf("../../docs/guides/ag2.md"), open.url, keyed.url, "dora", "key-of-dora"];
  const python = startProcess(PYTHON, [pathOf("python/run_guide.py"), ...args], (line) => {
    lines.push(line);
  });
  try {
    await until(() => lines.some((line) => "over" in line), {
      timeoutMs: 40_000,
      describe: () => `the end of the guide; ${JSON.stringify(lines)} ${python.errors}`,
    });
  } finally {
    await python.kill();
  }
  expect(lines).toEqual([
    { fences: 3 },
    { answer: "two per wall" },
    { same: true },
    { scheme: "api_key", name: "dora" },
    { refused: "AuthError" },
    { over: true },
  ]);
});
