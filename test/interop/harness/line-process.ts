import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { until } from "@colloquy/testkit";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** How long a program may take to say its first line. */
const START_MS = 30_000;

/** A program that speaks JSON lines on its standard streams. */
export interface LineProcess {
  /** All that it wrote to its error stream, for messages. */
  readonly errors: string;
  send(value: object): void;
  /** Kills it without a chance to clean up; resolves when it is gone. Harmless when repeated. */
  kill(): Promise<void>;
}

/** Starts a program; `onLine` hears each of its lines as the JSON value that it is. */
export function startProcess(
  program: string,
  args: readonly string[],
  onLine: (value: Record<string, unknown>) => void,
): LineProcess {
  const env = { PATH: process.env["PATH"], PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(program, args, { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"], env });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    onLine(JSON.parse(line) as Record<string, unknown>);
  });
  const exited = once(child, "exit");
  return {
    get errors() {
      return errors;
    },
    send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Starts a server, and resolves with what its first line says. */
export async function startServer(
  program: string,
  args: readonly string[],
): Promise<{ readonly process: LineProcess; readonly first: Record<string, unknown> }> {
  const lines: Record<string, unknown>[] = [];
  const started = startProcess(program, args, (line) => void lines.push(line));
  const first = await until(() => lines[0], {
    timeoutMs: START_MS,
    describe: () => `the first line of ${args.join(" ")}: ${started.errors}`,
  });
  return { process: started, first };
}
