import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A TypeScript program that runs in a process of its own. */
export interface Program {
  readonly pid: number;
  /** What it has printed so far, by line; a line that is not finished is none. */
  readonly lines: readonly string[];
  /** Resolves with the first line that begins so; rejects when the program ends before. */
  line(prefix: string): Promise<string>;
  /** Kills it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Resolves with its exit code, null when it was killed. */
  readonly ended: Promise<number | null>;
}

/** Starts a program of this folder, from its source. */
export function startProgram(name: string, ...args: readonly string[]): Program {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions=@colloquy/source", script, ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      isOver = true;
      wake();
      resolve(code);
    });
  });
  if (child.stdout === null) throw new Error("the program has no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  return {
    pid: child.pid ?? -1,
    lines,
    line: (prefix) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => line.startsWith(prefix));
          if (found === undefined && !isOver) return;
          waiting.delete(look);
          if (found === undefined) reject(new Error(`${name} ended before it said "${prefix}"`));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}
