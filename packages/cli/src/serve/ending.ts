import type { Clock, Logger } from "@colloquy/protocol";
import { EXIT, type ExitCode } from "../errors/cli-error.js";
import type { Terminal } from "../terminal/terminal.js";

/** What ends with the process. */
export interface Running {
  /** Refuses new work, waits for what is under way within the hub's limit, and closes. */
  drain(): Promise<void>;
  /** Milliseconds that `drain` may take in all. */
  readonly limitMs: number;
  /** Drains it when this resolves, as a signal does. Default: only a signal does. */
  readonly finished?: Promise<void> | undefined;
}

/** What {@link runUntilEnd} works with. */
export interface EndingPorts {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lets a hub run until somebody ends it.
 *
 * The first SIGINT or SIGTERM drains it, a second one ends the process at once. An error that
 * nobody caught is logged and ends the process: what was acknowledged is on the disk, and memory
 * that nobody vouches for must not decide on envelopes.
 *
 * @returns the exit code
 */
export async function runUntilEnd(running: Running, ports: EndingPorts): Promise<ExitCode> {
  const { terminal, logger } = ports;
  const stopUncaught = terminal.onUncaught((error) => {
    logger.error({ err: error }, "an error that nobody caught; the hub stops");
    terminal.exit(EXIT.failure);
  });
  let stopSignals = (): void => undefined;
  const asked = new Promise<string>((resolve) => {
    let count = 0;
    stopSignals = terminal.onSignal((signal) => {
      count += 1;
      if (count === 1) resolve(signal);
      else terminal.exit(EXIT.failure);
    });
  });
  try {
    const signal = await Promise.race([asked, workDone(running)]);
    logger.info({ signal }, "draining; a second signal stops at once");
    return await drainInTime(running, ports);
  } finally {
    stopSignals();
    stopUncaught();
  }
}

async function workDone({ finished }: Running): Promise<string> {
  await (finished ?? new Promise<void>(() => undefined));
  return "none";
}

async function drainInTime(
  { drain, limitMs }: Running,
  { clock, logger }: EndingPorts,
): Promise<ExitCode> {
  let cancel = (): void => undefined;
  const late = new Promise<"late">((resolve) => {
    const timer = clock.setTimer(limitMs, () => resolve("late"));
    cancel = () => timer.cancel();
  });
  try {
    const end = await Promise.race([drain(), late]);
    if (end !== "late") {
      logger.info({}, "stopped");
      return EXIT.ok;
    }
    logger.error({ limit_ms: limitMs }, "the hub did not stop within its limit");
    return EXIT.failure;
  } catch (error) {
    logger.error({ err: error }, "the hub could not stop cleanly");
    return EXIT.failure;
  } finally {
    cancel();
  }
}
