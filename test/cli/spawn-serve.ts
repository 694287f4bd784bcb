import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A hub in a process of its own. */
export interface HubProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<number | null>;
}

/** Starts `colloquy serve` with nothing of the environment but `PATH`. */
export function spawnServe(...args: string[]): HubProcess {
  const main = "packages/cli/src/main.ts";
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions=@colloquy/source", main, "serve", ...args],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] } },
  );
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return {
    child,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    ended: once(child, "exit").then(([code]) => code as number | null),
  };
}
