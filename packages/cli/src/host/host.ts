import type { Clock } from "@colloquy/protocol";
import type { ExitCode } from "../errors/cli-error.js";
import type { Terminal } from "../terminal/terminal.js";

/** What every command runs on; nothing here is global, so a test may run many. */
export interface Host {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Set by the command that ran. */
  exitCode: ExitCode;
}
