import type { HubConnection, LinkPeer, Principal } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import type { Lane } from "../core/lane.js";
import type { BoundConnection } from "../delivery/delivery.js";
import type { Hub } from "../hub.js";
import type { Enrolled } from "../registry/register-identity.js";
import type { RegisterIdentity } from "../registry/register-input.js";
import type { HeldCredential } from "./held-credential.js";
import type { SwapLimit } from "./swap-limit.js";

/** A frame that waits for its turn. */
export interface HeldFrame {
  readonly frame: unknown;
  readonly checked: boolean;
  /** Size of its message; 0 where a link carries objects. */
  readonly bytes: number;
}

/** One connection as the hub keeps it; delivery knows it by the same object. */
export interface Session extends BoundConnection {
  readonly endpointId: string;
  readonly peer: LinkPeer;
  readonly connection: HubConnection;
  requestsInFlight: number;
  /** Bytes of its messages that wait for their answer. */
  unanswered: number;
  /** Registrations under way, each of which will bind its agent here. */
  registering: number;
  /** Hellos whose claim is being checked. */
  handshakes: number;
  /** Agents whose loss a bare peer is told of once its hellos are answered; null for none. */
  replaced: string[] | null;
  /** Claims that have been checked so far, to tell them apart. */
  claims: number;
  /** The operator behind the connection; null for none. */
  principal: Principal | null;
  /** What its agents and its operator have proven themselves with, as far as that can end; null for nothing. */
  credentials: Map<string, HeldCredential> | null;
  /** Pieces of answers that it has sent since an instant, in epoch milliseconds; null before the first. */
  pieces: { since: number; count: number } | null;
  /** Frames that arrived meanwhile, to be taken up in order. */
  held: HeldFrame[];
  /** True once it was told to close, for being slow or without a credential: what still comes in is not looked at. */
  closing: boolean;
  /** True once the transport has closed. */
  ended: boolean;
}

/** What the handlers of all connections work on. */
export interface ConnectionWork {
  readonly hub: Hub;
  readonly context: HubContext;
  /** Registers an agent and gives what it has proven itself with. */
  enrol(input: RegisterIdentity): Promise<Enrolled>;
  /** By endpoint id. */
  readonly sessions: Map<string, Session>;
  /** Those of them without a bound agent. */
  readonly unbound: Set<Session>;
  readonly swaps: SwapLimit;
  /** What waits on all connections together. */
  readonly load: { unanswered: number };
  /** Where operations run whose answers may be large. */
  readonly bulk: Lane<Session>;
}

/** True if the agent is bound to this very connection. */
export function isBoundTo(work: ConnectionWork, session: Session, agentId: string): boolean {
  return work.context.delivery.connectionOf(agentId) === session;
}

/** Ids of the agents bound to a connection. */
export function agentsOf(work: ConnectionWork, session: Session): readonly string[] {
  return work.context.delivery.agentsOf(session);
}
