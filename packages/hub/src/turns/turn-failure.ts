import { AccessDeniedError, logFieldsOf, NotFoundError, redactText } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { TurnFailure } from "../observe/hub-listener.js";
import { parseStored } from "../wal/parse-stored.js";

/** Longest error text of a failed turn that is kept, in characters. */
const MAX_ERROR = 2_000;

/**
 * Tells listeners, and with them the audit log, that a turn has failed for good, without what looks
 * like a secret in the words of its agent. Throws
 * `NotFoundError` for a turn on an envelope that is not in the channel.
 */
export async function reportTurnFailure(context: CoreContext, failure: TurnFailure): Promise<void> {
  const live = await context.channels.load(failure.channel_id);
  if (!live.participants.has(failure.agent_id)) {
    throw new AccessDeniedError(
      `agent ${quote(failure.agent_id)} is not a participant of channel '${live.id}'`,
    );
  }
  const trigger = await context.store.readEnvelope(failure.envelope_id);
  if (trigger?.channel_id !== live.id) {
    throw new NotFoundError(
      `envelope not found in channel '${live.id}': ${quote(failure.envelope_id)}`,
    );
  }
  const error = redactText(failure.error.slice(0, 2 * MAX_ERROR)).slice(0, MAX_ERROR);
  const fields = { ...failure, ...logFieldsOf(parseStored(trigger)), error };
  context.logger.warn(fields, "a turn has failed");
  context.delivery.turnFailed({ ...failure, error });
  context.listeners.emit("onTurnFailed", { ...failure, error });
}
