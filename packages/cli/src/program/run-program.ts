import { type Command, CommanderError } from "commander";
import { EXIT, type ExitCode } from "../errors/cli-error.js";
import { describeFailure } from "../errors/describe-failure.js";
import type { Host } from "../host/host.js";
import { escapeLines, escapeText } from "../output/escape-text.js";
import { createStyles } from "../output/styles.js";
import { createProgram } from "./create-program.js";

/**
 * Runs the command line once.
 *
 * @param args - what was typed behind `colloquy`
 * @returns the exit code; failures have been reported on the error stream
 */
export async function runProgram(
  host: Host,
  version: string,
  args: readonly string[],
): Promise<ExitCode> {
  const waiting: Promise<void>[] = [];
  const program = createProgram(host, version);
  eachCommand(program, (command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => void waiting.push(host.terminal.out.write(text)),
      writeErr: (text) => void waiting.push(host.terminal.err.write(text)),
      getOutHelpWidth: () => host.terminal.out.columns ?? 80,
      getErrHelpWidth: () => host.terminal.err.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    host.exitCode = await report(host, error);
  }
  await Promise.all(waiting);
  return host.exitCode;
}

function eachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) eachCommand(child, visit);
}

/**
 * The parser has printed its own message already. What a log, a file or a peer has put into any other
 * is shown, never obeyed.
 */
async function report(host: Host, error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { err, env } = host.terminal;
  const styles = createStyles(err, env);
  const { message, remedy, stack, exitCode } = describeFailure(error);
  const lines = [`${styles.bad("error:")} ${escapeText(message)}`];
  if (remedy !== null) lines.push(...escapeLines(remedy));
  if (stack !== null) lines.push(...escapeLines(stack).map(styles.faint));
  await err.write(lines.map((line) => `${line}\n`).join(""));
  return exitCode;
}
