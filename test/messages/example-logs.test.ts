import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXAMPLES_WITH_LOGS, logsOf } from "./example-logs.js";
import { askEverywhere } from "./project-log.js";
import { PROVIDERS, runAgainst } from "./provider-bodies.js";

describe("what a model is asked, at every position of every example's log, by every view and window", () => {
  beforeEach(() => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("has logs to look at", () => {
    expect(EXAMPLES_WITH_LOGS.length).toBeGreaterThanOrEqual(18);
  });

  it.each(EXAMPLES_WITH_LOGS)(
    "%s keeps the rules of OpenAI and of Anthropic",
    async (example) => {
      const logs = await logsOf(example, (file) => vi.stubEnv("COLLOQUY_DATA", file));
      expect(logs.length).toBeGreaterThan(0);
      const asked = logs.flatMap(askEverywhere);
      expect(asked.length).toBeGreaterThan(0);
      for (const one of asked) {
        for (const provider of PROVIDERS) expect(await runAgainst(provider, one)).toBe(1);
      }
    },
    60_000,
  );
});
