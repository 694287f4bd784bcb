import type { Envelope } from "../envelope/envelope.js";
import type { HubFrame } from "../frames/frames.js";
import type { LinkClosed, WireProfile } from "./link.js";

/** An envelope on its way to one recipient: object for peers in this process, text for the wire. */
export interface Delivery {
  readonly recipient_id: string;
  readonly envelope: Envelope;
  /** The envelope's JSON, serialised once. */
  readonly text: string;
  /** Position in its channel, from 1. */
  readonly position: number;
  /** How often it has been sent to this recipient, this time included. */
  readonly attempt: number;
}

/** What the hub needs of the far side of a connection. Implemented by the WebSocket server and the local link. */
export interface LinkPeer {
  readonly profile: WireProfile;
  /** True when the far side is on this machine; decides whether scheme `none` is allowed. */
  readonly loopback: boolean;
  /** For logs: address or `local`. */
  readonly label: string;
  /** Interval of the transport's own heartbeat in milliseconds, to be told in a welcome; absent for none. */
  readonly heartbeatMs?: number | undefined;
  /** Largest frame that the transport takes, in bytes of UTF-8, to be told in a welcome; absent for no bound. */
  readonly maxFrameBytes?: number | undefined;
  /** Bytes handed over that have not left yet; 0 for a local peer. */
  readonly bufferedBytes: number;
  send(frame: HubFrame): void;
  notify(delivery: Delivery): void;
  /** Starts a close with a WebSocket close code. */
  close(code: number, reason: string): void;
  /** Holds what follows back until `uncork`, so that one batch leaves in one write. */
  cork(): void;
  uncork(): void;
}

/** The hub's end of one connection, driven by whoever owns the transport. */
export interface HubConnection {
  /** Stable id of the connection; the `endpoint_id` of a welcome. */
  readonly endpointId: string;
  /**
   * A frame. Never throws: what is wrong is answered with an error frame or an error response.
   *
   * @param checked - true when a codec has made it of this very profile, so that it need not be
   *   checked again; default false
   * @param bytes - size of its message, for the bounds on what waits for its answer; default 0, for
   *   links that carry objects
   */
  receive(frame: unknown, checked?: boolean, bytes?: number): void;
  /** A message that was no frame. */
  receiveBad(error: Error): void;
  /** The transport has closed. */
  closed(closed: LinkClosed): void;
}

/** Anything that takes connections: a hub. */
export interface LinkAcceptor {
  accept(peer: LinkPeer): HubConnection;
}
