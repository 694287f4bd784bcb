import type { HubContext } from "../context/hub-context.js";
import type { BoundConnection } from "../delivery/delivery.js";

/** Something that a connection tried and that is not its to do. */
export interface Intrusion {
  /** Kind of the audit record; default `identity_refused`, for a name or a channel that is not its own. */
  readonly kind?: "identity_refused" | "frame_refused";
  /** Operation or kind of frame. */
  readonly op: string;
  /** What it claimed to be, or reached for. */
  readonly claimed: string;
  readonly reason: string;
}

/** Writes such attempts to the audit log, under the agents that are really behind them. */
export interface IntrusionLog {
  add(session: BoundConnection, intrusion: Intrusion): void;
  /** Writes what was only counted of a connection that has closed. */
  end(session: BoundConnection): void;
}

/** What {@link createIntrusionLog} works on. */
export interface IntrusionLogPorts extends Pick<HubContext, "clock" | "limits"> {
  readonly audit: Pick<HubContext["audit"], "append">;
  readonly delivery: Pick<HubContext["delivery"], "agentsOf">;
}

interface Tally {
  startedAt: number;
  written: number;
  counted: number;
}

const MINUTE_MS = 60_000;
const MAX_CLAIM_LENGTH = 80;

/**
 * Makes the log of attempts to act as somebody else.
 *
 * Each is an audit record with the connection, its bound agents, the operation and what was claimed:
 * `identity_refused`, or `frame_refused` for a message that is no frame. Of each connection the first `auditedRefusalsPerMinute` in a minute are
 * written one by one; the rest becomes one record with `count` when the next one comes after the
 * minute, or the connection closes.
 */
export function createIntrusionLog(context: IntrusionLogPorts): IntrusionLog {
  const tallies = new Map<BoundConnection, Tally>();
  const write = (session: BoundConnection, facts: Readonly<Record<string, unknown>>): void => {
    const { endpointId, peer } = session;
    const agents = context.delivery.agentsOf(session);
    const from = { endpoint_id: endpointId, peer: peer.label, agents };
    context.audit.append({ kind: "identity_refused", ...from, ...facts });
  };
  const flush = (session: BoundConnection, tally: Tally): void => {
    if (tally.counted > 0) write(session, { count: tally.counted });
  };
  const tallyOf = (session: BoundConnection): Tally => {
    const now = context.clock.now();
    const known = tallies.get(session);
    if (known !== undefined && now - known.startedAt < MINUTE_MS) return known;
    if (known !== undefined) flush(session, known);
    const tally = { startedAt: now, written: 0, counted: 0 };
    tallies.set(session, tally);
    return tally;
  };
  return {
    add(session, { kind = "identity_refused", op, claimed, reason }) {
      const tally = tallyOf(session);
      if (tally.written >= context.limits.auditedRefusalsPerMinute) {
        tally.counted += 1;
        return;
      }
      tally.written += 1;
      write(session, { kind, op, claimed: claimed.slice(0, MAX_CLAIM_LENGTH), reason });
    },
    end(session) {
      const tally = tallies.get(session);
      if (tally === undefined) return;
      flush(session, tally);
      tallies.delete(session);
    },
  };
}
