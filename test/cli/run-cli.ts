import type { Clock } from "@colloquy/protocol";
import { createFakeClock } from "@colloquy/testkit";
import { EXIT, type ExitCode } from "../../packages/cli/src/errors/cli-error.js";
import { runProgram } from "../../packages/cli/src/program/run-program.js";
import { type CapturedTerminal, type CaptureOptions, captureTerminal } from "./capture-terminal.js";

/** What a command left behind. */
export interface CliRun {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of the standard output. */
  readonly lines: readonly string[];
  /** The standard output as one JSON value per line. */
  values(): unknown[];
}

/** A command that is running. */
export interface RunningCli {
  readonly terminal: CapturedTerminal;
  readonly done: Promise<CliRun>;
}

/** Options of {@link startCli}. */
export interface CliOptions extends CaptureOptions {
  readonly clock?: Clock | undefined;
}

/** Runs the real program in this process, without waiting for its end. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const terminal = captureTerminal(options);
  const clock = options.clock ?? createFakeClock();
  const host = { terminal, clock, exitCode: EXIT.ok };
  const run = async (): Promise<CliRun> => {
    const code = await runProgram(host, "0.0.0-test", args);
    const { stdout, stderr } = terminal;
    const lines = stdout.split("\n").slice(0, -1);
    return { code, stdout, stderr, lines, values: () => lines.map((line) => JSON.parse(line)) };
  };
  return { terminal, done: run() };
}

/** Runs the real program in this process to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return startCli(args, options).done;
}
