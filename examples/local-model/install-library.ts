import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runCommand } from "./run-command.js";

const ENGINE = new URL("engine/", import.meta.url);
/**
 * Two installs: the binaries for this machine's processor, and below them the library without its
 * own optional packages. Those hold the same binaries once more for graphics cards, which are twenty
 * times as large; npm takes either all optional packages of a package or none.
 */
const FOLDERS = [
  { folder: ENGINE, args: [] },
  { folder: new URL("library/", ENGINE), args: ["--omit=optional"] },
] as const;

/**
 * Installs the library that runs models, unless it is there, and resolves with the address of its
 * entry. Nothing is compiled: install scripts do not run.
 */
export async function installLibrary(): Promise<URL> {
  for (const { folder, args } of FOLDERS) await installFolder(folder, args);
  return new URL("library/node_modules/node-llama-cpp/dist/index.js", ENGINE);
}

async function installFolder(folder: URL, args: readonly string[]): Promise<void> {
  const lock = await readFile(new URL("package-lock.json", folder));
  const wanted = createHash("sha256").update(lock).digest("hex");
  const stamp = new URL("node_modules/.colloquy-installed", folder);
  if ((await readFile(stamp, "utf8").catch(() => "")) === wanted) return;
  await rm(stamp, { force: true });
  await runCommand(
    {
      program: "npm",
      args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund", ...args],
      cwd: fileURLToPath(folder),
    },
    "It needs npm and the npm registry.",
  );
  await writeFile(stamp, wanted);
}
