/** Exit codes of every command. */
export const EXIT = {
  /** It did what it says. */
  ok: 0,
  /** It failed, or it found something wrong. */
  failure: 1,
  /** It was called wrongly. */
  usage: 2,
} as const;

/** A code from {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Options of {@link CliError}. */
export interface CliErrorOptions extends ErrorOptions {
  /** Sentences that say what to do; one each. */
  readonly remedy?: string | undefined;
  /** Default: {@link EXIT}`.failure`. */
  readonly exitCode?: ExitCode | undefined;
}

/** What stops a command, said to the person who called it: one sentence and a remedy. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** What to do about it; null when the message says all. */
  readonly remedy: string | null;
  readonly exitCode: ExitCode;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy ?? null;
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}

/** A {@link CliError} of a wrong call. */
export function usageError(message: string, remedy?: string): CliError {
  return new CliError(message, { remedy, exitCode: EXIT.usage });
}
