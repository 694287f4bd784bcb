import type { Logger } from "@colloquy/protocol";
import { pino } from "pino";
import type { ServeSettings } from "../config/serve-settings.js";
import { escapeJson } from "../output/escape-text.js";
import { createStyles } from "../output/styles.js";
import type { Terminal } from "../terminal/terminal.js";
import { createTextDestination } from "./log-destination.js";
import { redactLine } from "./redact-log.js";

/**
 * The logger of a hub: pino on the error stream, as JSON or as text for people. Neither form drives a
 * terminal, whatever peers have put into a line, and neither shows secrets: see `redactLine`.
 */
export function createLogger(
  terminal: Terminal,
  { logLevel, logFormat }: Pick<ServeSettings, "logLevel" | "logFormat">,
): Logger {
  const { err, env } = terminal;
  const asText = logFormat === "text" || (logFormat === "auto" && err.isTty);
  const options = { level: logLevel, base: null };
  const form = asText
    ? createTextDestination(err, createStyles(err, env))
    : { write: (line: string) => void err.stream.write(escapeJson(line)) };
  return pino(options, { write: (line: string) => form.write(redactLine(line)) });
}
