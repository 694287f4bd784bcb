/**
 * Runs many seeds:
 *
 *     npm run test:simulation
 *
 * Environment: `SEEDS` (how many; default 100), `SECONDS` (stop after so many; default: no limit),
 * `SEED` (the first seed; default 1), `STEPS` (per run; default 150), `TRACE` (1: print everything that
 * happens, to the error stream). A failure is printed with its
 * seed and what happened last; exit code 1.
 */
import { simulate } from "./simulate.js";

const seeds = Number(process.env["SEEDS"] ?? 100);
const seconds = Number(process.env["SECONDS"] ?? Number.POSITIVE_INFINITY);
const first = Number(process.env["SEED"] ?? 1);
const steps = Number(process.env["STEPS"] ?? 150);

const onLine =
  process.env["TRACE"] === "1"
    ? (line: string): void => void process.stderr.write(`${line}\n`)
    : undefined;

const startedAt = performance.now();
const elapsed = (): number => (performance.now() - startedAt) / 1_000;
const sum = { runs: 0, channels: 0, envelopes: 0, deliveries: 0, repeats: 0, hubLives: 0 };
let failed = 0;
for (let seed = first; seed < first + seeds && elapsed() < seconds; seed += 1) {
  try {
    const run = await simulate(seed, { steps, onLine });
    sum.runs += 1;
    for (const key of ["channels", "envelopes", "deliveries", "repeats", "hubLives"] as const) {
      sum[key] += run[key];
    }
  } catch (error) {
    failed += 1;
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(
  `${sum.runs} runs held and ${failed} failed in ${elapsed().toFixed(1)} s: ${JSON.stringify(sum)}\n`,
);
