import { type Logger, silentLogger } from "@colloquy/protocol";

/** Prints what goes wrong with the agents of an example, and remembers that a turn has failed. */
export interface TurnWatch {
  /** The log of one agent. */
  loggerOf(name: string): Logger;
  /** What the first failed turn has failed with; null while none has. */
  readonly failure: string | null;
}

/**
 * Makes a {@link TurnWatch}.
 *
 * @param onFailure - called at the first turn that fails
 */
export function watchTurns(onFailure: () => void): TurnWatch {
  let failure: string | null = null;
  const report = (name: string, error: unknown, message: string): void => {
    const line = `${name}: ${message}: ${String(error)}`;
    console.error(line);
    if (message !== "turn failed" || failure !== null) return;
    failure = line;
    onFailure();
  };
  return {
    loggerOf: (name) => ({
      ...silentLogger,
      warn: ({ error }, message) => report(name, error, message),
      error: ({ error }, message) => report(name, error, message),
    }),
    get failure() {
      return failure;
    },
  };
}
