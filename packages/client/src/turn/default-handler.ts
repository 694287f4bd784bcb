import {
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_TURN_REASSIGNED,
  isProtocolEvent,
  logFieldsOf,
  PARTICIPANT_EVENTS,
} from "@colloquy/protocol";
import type { DeliveryFacts, EnvelopeHandler } from "../agent/agent-client.js";
import { isClientError, messageOf } from "../errors.js";
import { acceptInvite } from "./accept-invite.js";
import { findOwnTurn } from "./own-turn.js";
import { runTurn, type TurnOutcome } from "./run-turn.js";
import type { TurnHost } from "./turn-host.js";

/**
 * What an agent does with envelopes unless told otherwise: it accepts invitations, takes no notice of
 * other events in a channel's life, and runs a turn for everything else that gives it one; the going
 * of the participant whose turn it was is one of these. Where its own answer leaves the turn with
 * itself it goes on with that answer as the trigger, since nobody is sent what it has said itself.
 *
 * A turn that crashes is reported to the hub, and rejects so that the envelope is delivered again
 * within the hub's limits. A hub of the bare profile does not deliver again; there it ends with the
 * report. A turn that was cancelled because its channel has ended is no failure. A turn that ends with
 * the cancel of its task is reported, and not run again.
 */
export function createDefaultHandler(host: TurnHost): EnvelopeHandler {
  return async (envelope, client, delivery) => {
    if (envelope.event_type === EV_TURN_REASSIGNED) {
      // The hub speaks in the creator's name, to whom the turn may have gone.
      if (envelope.event_data["to"] === client.agentId) await takeTurns(host, envelope, delivery);
      return;
    }
    if (envelope.event_type === EV_CHANNEL_INVITE) {
      await acceptInvite(client, envelope);
      return;
    }
    if (isProtocolEvent(envelope.event_type) && !PARTICIPANT_EVENTS.has(envelope.event_type))
      return;
    await takeTurns(host, envelope, delivery);
  };
}

/** One turn, and those that follow from its answer. */
async function takeTurns(
  host: TurnHost,
  envelope: Envelope,
  delivery: DeliveryFacts,
): Promise<void> {
  let trigger: Envelope | null = envelope;
  while (trigger !== null) {
    const outcome = await takeTurn(host, trigger, delivery);
    trigger = await findOwnTurn(host, trigger, outcome, delivery);
  }
}

async function takeTurn(
  host: TurnHost,
  envelope: Envelope,
  delivery: DeliveryFacts,
): Promise<TurnOutcome | null> {
  const fields = logFieldsOf(envelope);
  try {
    const outcome = await runTurn(host, envelope, delivery);
    host.logger.debug({ ...fields, ...outcome }, "turn ended");
    if (outcome.kind === "answered" && outcome.notes.length > 0) {
      host.logger.warn({ ...fields, notes: outcome.notes }, "the hub remarks on an answer");
    }
    return outcome;
  } catch (error) {
    if (delivery.signal.aborted) {
      host.logger.debug({ ...fields, reason: messageOf(error) }, "turn cancelled");
      return null;
    }
    host.logger.warn(
      { ...fields, attempt: delivery.attempt, error: messageOf(error) },
      "turn failed",
    );
    await report(host, envelope, error);
    if (host.hub.profile !== "ag2" && !isCancelledTask(error)) throw error;
    return null;
  }
}

/** What somebody has cancelled is not begun anew. */
function isCancelledTask(error: unknown): boolean {
  return isClientError(error) && error.code === "client/task_cancelled";
}

async function report(host: TurnHost, envelope: Envelope, error: unknown): Promise<void> {
  try {
    await host.hub.reportTurnFailure({
      channel_id: envelope.channel_id,
      agent_id: host.client.agentId,
      envelope_id: envelope.envelope_id,
      error: messageOf(error),
    });
  } catch (failure) {
    host.logger.warn(
      { ...logFieldsOf(envelope), error: messageOf(failure) },
      "the failed turn could not be reported",
    );
  }
}
