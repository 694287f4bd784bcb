import type { LinkClosed, WireProfile } from "@colloquy/protocol";
import type { ConnectionStatus } from "../connection/status.js";
import type { HubVerbs } from "./hub-verbs.js";

/** A hub as participants and turns see it: its verbs, and the connection to it. */
export interface HubPort extends HubVerbs {
  /** False for a hub in this process. */
  readonly remote: boolean;
  /** Profile of the latest connection; null before the first. */
  readonly profile: WireProfile | null;
  /** The hub's name for the present connection; empty before the first welcome. */
  readonly endpointId: string;
  readonly isClosed: boolean;
  /** Resolves with the reason when the client has ended for good. */
  readonly closed: Promise<LinkClosed>;
  /** The connection's steps, the present one first; ends after `closed`. */
  status(): AsyncIterableIterator<ConnectionStatus>;
  /** Takes no new work, waits for what is being handled, then closes. Nobody is unregistered. */
  drain(): Promise<void>;
  /** Ends it now. Nobody is unregistered. May be repeated. */
  close(): Promise<void>;
}
