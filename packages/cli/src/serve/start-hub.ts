import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createNoAuth, type Hub, openHub } from "@colloquy/hub";
import { type ServeOptions, serveWebSocket, type WebSocketServerHandle } from "@colloquy/hub/ws";
import type { Clock, Logger } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { ServeSettings } from "../config/serve-settings.js";
import { CliError, usageError } from "../errors/cli-error.js";
import { type HubWatch, startHubWatch } from "./hub-watch.js";
import { createKeyAuth } from "./key-auth.js";

/** Mode of a folder that is made for a data file: what was said in it is nobody else's. */
const OWNER_ONLY = 0o700;

/** A hub that listens. */
export interface StartedHub {
  readonly hub: Hub;
  readonly server: WebSocketServerHandle;
  readonly watch: HubWatch;
}

/**
 * Puts a hub together from its settings: store, channel types, authentication, sockets. Whatever
 * fails, what was opened before it is closed again.
 */
export async function startHub(
  settings: ServeSettings,
  clock: Clock,
  logger: Logger,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<StartedHub> {
  await mkdir(dirname(settings.data), { recursive: true, mode: OWNER_ONLY });
  const store = await openSqliteStore({
    path: settings.data,
    durability: settings.durability,
    clock,
    logger,
  });
  let hub: Hub | null = null;
  let watch: HubWatch | null = null;
  try {
    watch = await startHubWatch(settings, env, { clock, logger });
    hub = await openHub({
      ...watch.hubOptions,
      store,
      adapters: createDefaultAdapters(),
      authenticators: [settings.auth === "none" ? createNoAuth() : createKeyAuth(settings.apiKeys)],
      clock,
      logger,
      limits: settings.limits,
      operatorOnLoopback: settings.operatorOnLoopback,
    });
    requireKeys(hub, settings);
    watch.watch(hub);
    return { hub, watch, server: await listen(hub, settings, { clock, logger, watch }) };
  } catch (error) {
    await (hub ?? store).close();
    await watch?.stop();
    throw error;
  }
}

/** A hub that nobody can enter is a mistake in its settings. */
function requireKeys(hub: Hub, { auth, apiKeys, data }: ServeSettings): void {
  if (auth !== "api_key" || Object.keys(apiKeys).length > 0) return;
  if (hub.keys.list().some(({ status }) => status === "active")) return;
  throw usageError(
    `setting auth is api_key, but setting apiKeys names no agent and ${data} holds no key that counts.`,
    "Issue one: `colloquy keys add --name <agent>`, or `--role operator` to issue more while the hub runs.",
  );
}

/** What a server of sockets works with. */
interface ServerPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly watch: HubWatch;
}

async function listen(
  hub: Hub,
  settings: ServeSettings,
  ports: ServerPorts,
): Promise<WebSocketServerHandle> {
  try {
    return await serveWebSocket(hub, socketOptions(settings, ports));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === undefined ? undefined : LISTEN_FAULTS[code];
    if (why === undefined) throw cause;
    throw new CliError(`cannot listen on ${settings.host}, port ${settings.port}: ${why}.`, {
      cause,
      remedy: "Set port, or host, to one that this machine has free; port 0 takes any.",
    });
  }
}

/** What keeps a server from listening. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "something else listens there",
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "this user may not use that port",
  ENOTFOUND: "there is no such host",
};

function socketOptions(
  settings: ServeSettings,
  { clock, logger, watch }: ServerPorts,
): ServeOptions {
  const { host, port, allowUnauthenticated } = settings;
  const { path, allowedOrigins, ...others } = settings.sockets;
  return {
    ...others,
    host,
    port,
    allowUnauthenticated,
    path: path === "*" ? undefined : path,
    allowedOrigins: allowedOrigins.length === 0 ? undefined : allowedOrigins,
    metricsPage: watch.metricsPage,
    clock,
    logger,
  };
}
