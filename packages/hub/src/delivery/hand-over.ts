import { type Envelope, type LinkPeer, logFieldsOf, redactText } from "@colloquy/protocol";
import { CLOSE_CODES } from "../core/close-codes.js";
import { unbindConnection } from "./bindings.js";
import type { Board } from "./board.js";
import type { BoundConnection } from "./delivery.js";
import { type Inbox, leaveState } from "./inbox.js";
import type { Ledger } from "./ledger.js";
import { lagSince } from "./measure.js";
import type { Outstanding } from "./outstanding.js";

/** WebSocket close code for a peer that cannot be sent to. */
const CLOSE_INTERNAL = 1011;

/** An envelope's body, as object and as text. */
export interface Body {
  readonly envelope: Envelope;
  readonly text: string;
}

/**
 * How much room a connection has: `open`; `full`, so that envelopes wait in the store until it has
 * sent half of its bound; `lost`, when it has gone past the bound and was closed here.
 */
export function roomOf(board: Board, connection: BoundConnection): "open" | "full" | "lost" {
  const { bufferedBytes } = connection.peer;
  const { maxBufferedBytes } = board.context.limits;
  if (bufferedBytes * 2 <= maxBufferedBytes) return "open";
  if (bufferedBytes <= maxBufferedBytes) return "full";
  board.context.logger.warn(
    {
      peer: connection.peer.label,
      endpoint_id: connection.endpointId,
      buffered_bytes: bufferedBytes,
    },
    "closed a slow reader; what it has not read waits for its return",
  );
  unbindConnection(board, connection);
  closeQuietly(connection.peer, CLOSE_CODES.slowReader, "slow reader");
  return "lost";
}

/** Sends an entry now. The caller has made sure of room. */
export function sendEntry(
  board: Board,
  inbox: Inbox,
  ledger: Ledger,
  entry: Outstanding,
  body: Body,
): void {
  const { connection } = inbox;
  if (connection === null) return;
  leaveState(inbox, ledger, entry);
  entry.state = "sent";
  entry.attempt += 1;
  entry.sentAt = board.context.clock.now();
  entry.takenUpAt = 0;
  entry.failedAt = 0;
  inbox.inFlight += 1;
  try {
    board.corks.touch(connection);
    connection.peer.notify({
      recipient_id: inbox.agentId,
      envelope: body.envelope,
      text: body.text,
      position: entry.position,
      attempt: entry.attempt,
    });
    board.context.meters?.handedOver(entry.attempt, lagSince(board, entry.envelopeId));
  } catch (error) {
    dropFailed(board, inbox, connection, body.envelope, error);
  }
}

/** A transport that throws is of no more use: it is closed, and everything waits for the next one. */
function dropFailed(
  board: Board,
  inbox: Inbox,
  connection: BoundConnection,
  envelope: Envelope,
  error: unknown,
): void {
  const reason = redactText(error instanceof Error ? error.message : String(error));
  const { logger, listeners } = board.context;
  const { envelope_id } = envelope;
  logger.error(
    { peer: connection.peer.label, reason, ...logFieldsOf(envelope) },
    "a connection failed to take a notify",
  );
  noteUnreached(board, envelope_id);
  unbindConnection(board, connection);
  closeQuietly(connection.peer, CLOSE_INTERNAL, "delivery failed");
  listeners.emit("onDispatchFailed", envelope, inbox.agentId, reason);
}

/** Counts that a recipient could not be reached. */
export function noteUnreached(board: Board, envelopeId: string): void {
  const release = board.untried.get(envelopeId) ?? board.recent.get(envelopeId);
  if (release !== undefined) release.failures += 1;
}

function closeQuietly(peer: LinkPeer, code: number, reason: string): void {
  try {
    peer.close(code, reason);
  } catch {
    // It is gone already.
  }
}
