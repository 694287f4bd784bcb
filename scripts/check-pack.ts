import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Proves each package as its users get it: publint reads the manifest, attw the packed types.
const root = fileURLToPath(new URL("..", import.meta.url));

const run = (command: string, args: readonly string[]): boolean => {
  const result = spawnSync("npx", ["--no-install", command, ...args], {
    cwd: root,
    encoding: "utf8",
  });
  if (result.status !== 0) console.error(result.stdout, result.stderr);
  return result.status === 0;
};

const hasEntries = (folder: string): boolean => {
  const text = readFileSync(`${root}/${folder}/package.json`, "utf8");
  const manifest = JSON.parse(text) as { exports?: Record<string, unknown> };
  return Object.keys(manifest.exports ?? {}).some((subpath) => subpath !== "./package.json");
};

const failed: string[] = [];
for (const name of readdirSync(`${root}/packages`).sort()) {
  const folder = `packages/${name}`;
  const checked = [run("publint", ["--strict", folder])];
  // A package without entries, only a command, has no types to look at.
  if (hasEntries(folder)) {
    checked.push(run("attw", ["--pack", folder, "--profile", "esm-only", "--no-emoji"]));
  }
  const ok = checked.every(Boolean);
  console.log(`${folder}: ${ok ? "ok" : "FAILED"}`);
  if (!ok) failed.push(folder);
}
if (failed.length > 0) process.exitCode = 1;
