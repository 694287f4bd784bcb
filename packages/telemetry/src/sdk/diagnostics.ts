import type { Logger } from "@colloquy/protocol";
import { DiagLogLevel, diag } from "@opentelemetry/api";

/**
 * Writes what OpenTelemetry says of itself, such as that a receiver cannot be reached, to a logger.
 *
 * @returns takes that back
 */
export function listenToDiagnostics(logger: Logger): () => void {
  const silent = (): void => undefined;
  const told = (text: string): void => logger.warn({ said: text }, "telemetry has a problem");
  const listener = { error: told, warn: told, info: silent, debug: silent, verbose: silent };
  const isSet = diag.setLogger(listener, {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  return isSet ? () => diag.disable() : silent;
}
