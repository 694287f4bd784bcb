import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Environment variable with the number of runs; default {@link DEFAULT_RUNS}. */
const RUNS_VARIABLE = "COLLOQUY_KILL_RUNS";
const DEFAULT_RUNS = 3;
const TURNS = 30;
const RUN_LIMIT_MS = 60_000;

const PROGRAM = fileURLToPath(new URL("../../examples/kill-the-hub/main.ts", import.meta.url));
const runs = Number(process.env[RUNS_VARIABLE] ?? DEFAULT_RUNS);

interface Run {
  readonly run: number;
  readonly killAtTurn: number;
  readonly envelopes: number;
  readonly acknowledged: number;
  readonly delivered: number;
  readonly reconnects: number;
}

describe("a hub that is killed in the middle of a discussion and under load", () => {
  it(
    `has lost and doubled nothing when it is started again, ${runs} times in a row`,
    async () => {
      const source = ["--import", "tsx", "--conditions=@colloquy/source"];
      const options = ["--runs", String(runs), "--turns", String(TURNS), "--json"];
      const child = spawn(process.execPath, [...source, PROGRAM, ...options], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect(await ended, complaints).toBe(0);
      const results = printed.split("\n").filter(Boolean);
      expect(results).toHaveLength(runs);
      for (const result of results.map((line) => JSON.parse(line) as Run)) {
        expect(result.killAtTurn).toBeLessThan(TURNS);
        expect(result.acknowledged).toBeGreaterThan(50);
        expect(result.delivered).toBeGreaterThan(TURNS);
        expect(result.reconnects).toBeGreaterThanOrEqual(3);
        expect(result.envelopes).toBeGreaterThan(result.acknowledged);
      }
    },
    RUN_LIMIT_MS * runs,
  );
});
