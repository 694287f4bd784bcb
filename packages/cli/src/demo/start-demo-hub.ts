import type { Clock, Logger } from "@colloquy/protocol";
import { DEFAULT_PORT, type ServeSettings, serveSettingsSchema } from "../config/serve-settings.js";
import { type StartedHub, startHub } from "../serve/start-hub.js";

/** Port of the demonstration when it is free. */
export const DEMO_PORT = DEFAULT_PORT;

/** What the demonstration's hub is started with. */
export interface DemoHubOptions {
  readonly data: string;
  /** Port to listen on; 0 takes a free one; null: {@link DEMO_PORT}, or a free one when that is taken. */
  readonly port: number | null;
  /** In place of {@link DEMO_PORT}. */
  readonly usualPort?: number | undefined;
}

/** Starts the hub of the demonstration on this machine's loopback address. */
export async function startDemoHub(
  { data, port, usualPort = DEMO_PORT }: DemoHubOptions,
  clock: Clock,
  logger: Logger,
): Promise<StartedHub> {
  const settings = (chosen: number): ServeSettings =>
    serveSettingsSchema.parse({ data, port: chosen });
  if (port !== null) return await startHub(settings(port), clock, logger);
  try {
    return await startHub(settings(usualPort), clock, logger);
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    return await startHub(settings(0), clock, logger);
  }
}

function isAddressInUse(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "EADDRINUSE") || isAddressInUse(error.cause);
}
