import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** A command, and where it runs. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/**
 * Runs a command to its end. Rejects with its last words and the remedy when it cannot be started or
 * ends with another code than 0.
 *
 * @param remedy - what a person can do about it
 */
export async function runCommand({ program, args, cwd }: Command, remedy: string): Promise<void> {
  const line = [program, ...args].join(" ");
  // npm's own program is a script on Windows, which only a shell starts.
  const shell = process.platform === "win32";
  const child = spawn(program, args, { cwd, shell, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return;
  const said = `${out}\n${err}`.trim().split("\n").slice(-LAST_LINES).join("\n");
  throw new Error(`"${line}" failed in ${cwd} (${code}). ${remedy}\n${said}`);
}

/** Lines of a failed command that are shown. */
const LAST_LINES = 15;
