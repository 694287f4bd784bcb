import type { ClientFrame, HubFrame } from "../frames/frames.js";

/** Which dialect a connection speaks: AG2's own, or Colloquy's superset of it. */
export type WireProfile = "ag2" | "colloquy.v1";

/** Why a connection ended. */
export interface LinkClosed {
  /** WebSocket close code; 1000 normal, 1001 going away, 1006 cut without a close. */
  readonly code: number;
  readonly reason: string;
}

/** Callbacks of one connection. The link calls them one at a time, in order, `onClosed` last and once. */
export interface LinkHandlers {
  onFrame(frame: HubFrame): void;
  /** A message that is no frame; the connection goes on. */
  onBadFrame(error: Error): void;
  onClosed(closed: LinkClosed): void;
}

/** The client's end of one connection. */
export interface LinkConnection {
  readonly profile: WireProfile;
  /** Bytes accepted by `send` that have not left yet. */
  readonly bufferedBytes: number;
  /** Hands a frame over. After the connection has closed it does nothing. */
  send(frame: ClientFrame): void;
  /** Starts a close; harmless when repeated. */
  close(code?: number, reason?: string): void;
}

/**
 * A way to reach a hub. It dials; it does not reconnect: that is the client's own business.
 *
 * Rules that the conformance kit proves: frames arrive in the order in which they were sent, once
 * each; `connect` rejects when the hub cannot be reached or the signal is aborted; after `close`
 * the handlers hear `onClosed` once and nothing more.
 */
export interface Link {
  /** False for a hub in this process. */
  readonly remote: boolean;
  /** Dials once and resolves with an open connection. */
  connect(handlers: LinkHandlers, signal: AbortSignal): Promise<LinkConnection>;
}
