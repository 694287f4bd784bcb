import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = "packages/cli/src/main.ts";

/** A `colloquy serve` in a process of its own. */
export interface ServeProcess {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** Kills it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it in good order; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts a hub on a data file; resolves when it listens. Port 0 takes a free one. */
export async function startServe(data: string, port: number): Promise<ServeProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...["--import", "tsx", "--conditions=@colloquy/source", MAIN],
      ...["serve", "--json", "--log-level", "error", "--data", data, "--port", `${port}`],
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"] } },
  );
  const gone = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  const listening = new Promise<{ readonly url: string; readonly pid: number }>(
    (resolve, reject) => {
      if (child.stdout === null) throw new Error("the hub has no output");
      createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
      void gone.then((code) => reject(new Error(`the hub ended with ${code} before it listened`)));
    },
  );
  const { url, pid } = await listening;
  return {
    pid,
    url,
    port: Number(new URL(url).port),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
    end() {
      child.kill("SIGTERM");
      return gone;
    },
  };
}
