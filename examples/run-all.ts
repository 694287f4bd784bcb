/**
 * Runs the examples one after the other: all of them, or those named on the command line. Each ends
 * with an exit code other than 0 when it does not show what it promises.
 *
 * An example that needs something beside it, such as a hub to connect to, has a `check.ts` that
 * brings it along.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Milliseconds that one example may take. */
const LIMIT_MS = 120_000;

const all = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, "main.ts")));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no example ${unknown.join(", ")}. There are ${all.join(", ")}.`);
  process.exit(2);
}

const failed: string[] = [];
for (const name of named.length > 0 ? named : all) {
  console.log(`\n== ${name}`);
  const startedAt = performance.now();
  const code = await run(name);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(code === 0 ? `-- ok, ${seconds} s` : `-- failed with ${code}, ${seconds} s`);
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Its exit code, or the signal that ended it. */
async function run(name: string): Promise<number | string> {
  const check = join(HERE, name, "check.ts");
  const entry = existsSync(check) ? check : join(HERE, name, "main.ts");
  const child = fork(entry, [], { timeout: LIMIT_MS });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return code ?? signal ?? 1;
}
