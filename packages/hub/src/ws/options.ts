import type { Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { type Clock, createSystemClock, type Logger, silentLogger } from "@colloquy/protocol";
import type { OperatorPage } from "./operator-page.js";

/** Options of `serveWebSocket`. */
export interface ServeOptions {
  /** Address to listen on. Default `127.0.0.1`. Ignored with `httpServer`. */
  readonly host?: string | undefined;
  /** Port; 0, the default, takes a free one. Ignored with `httpServer`. */
  readonly port?: number | undefined;
  /** Path of the WebSocket, such as `/ws`; others answer 404. Default: any path, as AG2 has it. */
  readonly path?: string | undefined;
  /** Bytes of one incoming message; a larger one closes its socket with 1009. Default 1 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /**
   * Bytes of one outgoing response; a larger answer becomes an error response. Default 8 MiB.
   * The bare profile has its own, lower bound in the hub's limits.
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Milliseconds between two pings; a peer from which nothing at all has come for two of them is
   * cut. Default 20,000; 0 switches the heartbeat off.
   */
  readonly heartbeatMs?: number | undefined;
  /** Milliseconds that a peer has to answer a close before its socket is destroyed. Default 5,000. */
  readonly closeTimeoutMs?: number | undefined;
  /**
   * Origins that browser pages may come from, such as `https://app.example`, compared as a whole.
   * Default: none but pages that this very server serves on a loopback name or on `host`.
   *
   * A request without an `Origin` passes: browsers always send one with a WebSocket, so its absence
   * means a program, and no program can lend itself a user's cookies; the hub takes none anyway,
   * every connection must prove its agents by a claim in its hello.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Open sockets; a further one is refused with 503 before the upgrade. Default 10,000. */
  readonly maxConnections?: number | undefined;
  /** Compresses messages for peers that offer it, at a cost in memory and time. Default false. */
  readonly perMessageDeflate?: boolean | undefined;
  /**
   * Serves beyond this machine although scheme `none` is accepted, and lets everybody use it.
   * Default false.
   */
  readonly allowUnauthenticated?: boolean | undefined;
  /**
   * A server that is yours: only upgrades are taken from it, and `stop` leaves it listening. Give
   * an HTTPS server for TLS. Default: one of its own, which also answers `GET /healthz`, `/health`, `/health/live` and `/health/ready`.
   */
  readonly httpServer?: HttpServer | HttpsServer | undefined;
  /** What `GET /metrics` shows to operators; default: nothing is there. */
  readonly metricsPage?: OperatorPage | undefined;
  readonly logger?: Logger | undefined;
  /** Drives the heartbeat. Default: the system's clock. */
  readonly clock?: Clock | undefined;
}

/** {@link ServeOptions} with every default in place. */
export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly path: string | null;
  readonly maxFrameBytes: number;
  readonly maxAnswerBytes: number;
  readonly heartbeatMs: number;
  readonly closeTimeoutMs: number;
  readonly allowedOrigins: ReadonlySet<string> | null;
  readonly maxConnections: number;
  readonly perMessageDeflate: boolean;
  readonly allowUnauthenticated: boolean;
  readonly metricsPage: OperatorPage | null;
  readonly logger: Logger;
  readonly clock: Clock;
}

const MIB = 1_048_576;

/** Fills in the defaults. Throws `RangeError` for a number that makes no sense. */
export function completeOptions(options: ServeOptions): ServeSettings {
  const settings: ServeSettings = {
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    path: options.path ?? null,
    maxFrameBytes: options.maxFrameBytes ?? MIB,
    maxAnswerBytes: options.maxAnswerBytes ?? 8 * MIB,
    heartbeatMs: options.heartbeatMs ?? 20_000,
    closeTimeoutMs: options.closeTimeoutMs ?? 5_000,
    allowedOrigins: options.allowedOrigins === undefined ? null : new Set(options.allowedOrigins),
    maxConnections: options.maxConnections ?? 10_000,
    perMessageDeflate: options.perMessageDeflate ?? false,
    allowUnauthenticated: options.allowUnauthenticated ?? false,
    metricsPage: options.metricsPage ?? null,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? createSystemClock({ unref: true }),
  };
  requireAtLeast("maxFrameBytes", settings.maxFrameBytes, 1);
  requireAtLeast("maxAnswerBytes", settings.maxAnswerBytes, 1);
  requireAtLeast("heartbeatMs", settings.heartbeatMs, 0);
  requireAtLeast("closeTimeoutMs", settings.closeTimeoutMs, 1);
  requireAtLeast("maxConnections", settings.maxConnections, 1);
  return settings;
}

function requireAtLeast(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw new RangeError(`${name} must be a number of at least ${least}, got ${String(value)}`);
}
