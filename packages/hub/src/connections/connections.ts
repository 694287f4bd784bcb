import type { HubConnection, LinkAcceptor, LinkPeer } from "@colloquy/protocol";
import { NotFoundError } from "@colloquy/protocol";
import type { HubContext } from "../context/hub-context.js";
import { CLOSE_CODES } from "../core/close-codes.js";
import { createLane } from "../core/lane.js";
import { overloaded } from "../core/overloaded.js";
import { quote } from "../core/quote.js";
import type { Hub } from "../hub.js";
import { bindAgent } from "./bind-agent.js";
import { dropCredentials, reviewCredential } from "./credentials.js";
import { refreshPresence } from "./presence.js";
import { receiveBadFrame, receiveFrame } from "./receive-frame.js";
import { BULKY_AT_ONCE } from "./requests.js";
import { agentsOf, type ConnectionWork, type Session } from "./session.js";
import { createSwapLimit } from "./swap-limit.js";
import { release } from "./unanswered.js";

/** The connections of a hub. */
export interface Connections extends LinkAcceptor {
  /** Open connections. */
  readonly count: number;
  /** Tells clients that know the hint when the hub restarts (1012), then closes every connection. */
  closeAll(code: number, reason: string): void;
  /** Binds an agent without a hello, for a trusted program. Throws `NotFoundError` for either that is unknown. */
  bind(endpointId: string, agentId: string): void;
  /** Agents bound to a connection; empty for one that is unknown. */
  agentsAt(endpointId: string): readonly string[];
  /** A connection has lost an agent by no doing of its own; one without any has its deadline again. */
  lostAgent(endpointId: string): void;
}

/** What connections need of a hub beside its facade and its context. */
export type ConnectionPorts = Pick<ConnectionWork, "enrol">;

/** The peer of a connection that was never taken in. */
const REFUSED: Omit<HubConnection, "endpointId"> = {
  receive: () => undefined,
  receiveBad: () => undefined,
  closed: () => undefined,
};

/**
 * Makes the part of a hub that talks to connections: who they speak for, what they may ask, and
 * that one faulty or hostile peer never harms another.
 *
 * @param hub - carries out what is allowed
 * @param context - the hub's parts
 * @param ports - what of the registry the facade does not show
 */
export function createConnections(
  hub: Hub,
  context: HubContext,
  ports: ConnectionPorts,
): Connections {
  const work: ConnectionWork = {
    hub,
    context,
    ...ports,
    sessions: new Map(),
    unbound: new Set(),
    swaps: createSwapLimit(context.clock, context.limits.maxSwapsPerMinute),
    load: { unanswered: 0 },
    bulk: createLane(BULKY_AT_ONCE),
  };
  for (const scheme of context.auth.schemes) {
    context.auth.get(scheme).watch?.((id) => reviewCredential(work, scheme, id));
  }
  return {
    get count() {
      return work.sessions.size;
    },
    accept: (peer) => accept(work, peer),
    closeAll(code, reason) {
      for (const { peer } of [...work.sessions.values()]) {
        if (code === CLOSE_CODES.restarting && peer.profile !== "ag2") {
          peer.send({ kind: "hint", hint: "drain", message: reason });
        }
        peer.close(code, reason);
      }
    },
    bind(endpointId, agentId) {
      const session = work.sessions.get(endpointId);
      if (session === undefined) {
        throw new NotFoundError(`endpoint not attached: ${quote(endpointId)}`);
      }
      if (context.agents.get(agentId) === undefined) {
        throw new NotFoundError(`agent not found: ${quote(agentId)}`);
      }
      bindAgent(work, session, agentId);
    },
    agentsAt(endpointId) {
      const session = work.sessions.get(endpointId);
      return session === undefined ? [] : agentsOf(work, session);
    },
    lostAgent(endpointId) {
      const session = work.sessions.get(endpointId);
      if (session !== undefined) refreshPresence(work, session);
    },
  };
}

function accept(work: ConnectionWork, peer: LinkPeer): HubConnection {
  const { context } = work;
  const endpointId = context.ids.next();
  if (!context.accepting) {
    peer.close(CLOSE_CODES.restarting, "the hub is draining");
    return { endpointId, ...REFUSED };
  }
  if (work.unbound.size >= context.limits.maxUnboundConnections) {
    const reason = "too many connections without an agent";
    context.refusals.refuse(overloaded(reason), { what: "connection", peer: peer.label });
    context.logger.warn({ peer: peer.label }, "refused a connection: too many are unbound");
    peer.close(CLOSE_CODES.tooManyUnbound, reason);
    return { endpointId, ...REFUSED };
  }
  const connection: HubConnection = {
    endpointId,
    receive: (frame, checked = false, bytes = 0) =>
      receiveFrame(work, session, { frame, checked, bytes }),
    receiveBad: (error) => receiveBadFrame(work, session, error),
    closed: () => end(work, session),
  };
  const session: Session = {
    endpointId,
    peer,
    connection,
    requestsInFlight: 0,
    unanswered: 0,
    registering: 0,
    handshakes: 0,
    replaced: null,
    claims: 0,
    principal: null,
    credentials: null,
    pieces: null,
    held: [],
    closing: false,
    ended: false,
  };
  work.sessions.set(endpointId, session);
  refreshPresence(work, session);
  return connection;
}

function end(work: ConnectionWork, session: Session): void {
  if (session.ended) return;
  session.ended = true;
  for (const { bytes } of session.held) release(work, session, bytes);
  session.held = [];
  dropCredentials(work, session);
  work.sessions.delete(session.endpointId);
  work.context.delivery.unbindAll(session);
  refreshPresence(work, session);
}
