import { isNetworkError } from "@colloquy/protocol";
import { CliError, EXIT, type ExitCode } from "./cli-error.js";

/** How a failed command is reported. */
export interface Failure {
  readonly message: string;
  readonly remedy: string | null;
  readonly exitCode: ExitCode;
  /** Where it happened; only for what nobody expected. */
  readonly stack: string | null;
}

/** Says what stopped a command: expected errors in their own words, others with their stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CliError) {
    const { message, remedy, exitCode } = error;
    return { message, remedy, exitCode, stack: null };
  }
  if (isNetworkError(error)) {
    return { message: error.message, remedy: null, exitCode: EXIT.failure, stack: null };
  }
  const known = error instanceof Error ? error : new Error(String(error));
  return {
    message: `unexpected fault: ${known.message}`,
    remedy: null,
    exitCode: EXIT.failure,
    stack: known.stack ?? null,
  };
}
