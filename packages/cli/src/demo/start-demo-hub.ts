import type { Clock, Logger } from "@colloquy/protocol";
import { type ServeSettings, serveSettingsSchema } from "../config/serve-settings.js";
import { type StartedHub, startHub } from "../serve/start-hub.js";

/** Port of the demonstration when it is free. */
export const DEMO_PORT = 4680;

/** What the demonstration's hub is started with. */
export interface DemoHubOptions {
  readonly data: string;
  /** Port to listen on; 0 takes a free one; null: {@link DEMO_PORT}, or a free one when that is taken. */
  readonly port: number | null;
}

/** Starts the hub of the demonstration on this machine's loopback address. */
export async function startDemoHub(
  { data, port }: DemoHubOptions,
  clock: Clock,
  logger: Logger,
): Promise<StartedHub> {
  const settings = (chosen: number): ServeSettings =>
    serveSettingsSchema.parse({ data, port: chosen });
  if (port !== null) return await startHub(settings(port), clock, logger);
  try {
    return await startHub(settings(DEMO_PORT), clock, logger);
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    return await startHub(settings(0), clock, logger);
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
