/**
 * Checks an export of `colloquy wal export`, and journals of clients against it:
 *
 *     tsx test/checker/main.ts <export> [journal…]
 *
 * Exit code 0 when nothing is wrong, 1 with findings, 2 when it was called wrongly.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { check } from "./check.js";

/** Findings that are shown; the rest is counted. */
const SHOWN = 100;

async function main([path, ...journalPaths]: readonly string[]): Promise<number> {
  if (path === undefined) {
    process.stderr.write("usage: tsx test/checker/main.ts <export> [journal…]\n");
    return 2;
  }
  const journals = await Promise.all(
    journalPaths.map(async (file) => ({
      name: basename(file),
      text: await readFile(file, "utf8"),
    })),
  );
  const lines = createInterface({
    input: createReadStream(path, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const verdict = await check(basename(path), lines, journals);
  for (const { kind, where, message } of verdict.findings.slice(0, SHOWN)) {
    process.stdout.write(`${where}: ${kind}: ${message}\n`);
  }
  const { findings, channels, envelopes, journalLines } = verdict;
  process.stdout.write(
    `checked ${channels} channels, ${envelopes} envelopes, ${journalLines} journal lines: ${findings.length} findings\n`,
  );
  return findings.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
