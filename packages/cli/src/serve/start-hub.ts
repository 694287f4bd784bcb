import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createNoAuth, type Hub, openHub } from "@colloquy/hub";
import { type ServeOptions, serveWebSocket, type WebSocketServerHandle } from "@colloquy/hub/ws";
import type { Clock, Logger } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { ServeSettings } from "../config/serve-settings.js";
import { createKeyAuth } from "./key-auth.js";

/** A hub that listens. */
export interface StartedHub {
  readonly hub: Hub;
  readonly server: WebSocketServerHandle;
}

/**
 * Puts a hub together from its settings: store, channel types, authentication, sockets. Whatever
 * fails, what was opened before it is closed again.
 */
export async function startHub(
  settings: ServeSettings,
  clock: Clock,
  logger: Logger,
): Promise<StartedHub> {
  await mkdir(dirname(settings.data), { recursive: true });
  const store = await openSqliteStore({
    path: settings.data,
    durability: settings.durability,
    clock,
    logger,
  });
  let hub: Hub | null = null;
  try {
    hub = await openHub({
      store,
      adapters: createDefaultAdapters(),
      authenticators: [settings.auth === "none" ? createNoAuth() : createKeyAuth(settings.apiKeys)],
      clock,
      logger,
      limits: settings.limits,
    });
    return { hub, server: await serveWebSocket(hub, socketOptions(settings, clock, logger)) };
  } catch (error) {
    await (hub ?? store).close();
    throw error;
  }
}

function socketOptions(settings: ServeSettings, clock: Clock, logger: Logger): ServeOptions {
  const { host, port, allowUnauthenticated } = settings;
  const { path, allowedOrigins, ...others } = settings.sockets;
  return {
    ...others,
    host,
    port,
    allowUnauthenticated,
    path: path === "*" ? undefined : path,
    allowedOrigins: allowedOrigins.length === 0 ? undefined : allowedOrigins,
    clock,
    logger,
  };
}
