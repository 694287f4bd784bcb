import {
  AccessDeniedError,
  type Envelope,
  isTerminalState,
  logFieldsOf,
  NotFoundError,
  redactText,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { quote } from "../core/quote.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { TurnFailure } from "../observe/hub-listener.js";
import { parseStored } from "../wal/parse-stored.js";

/** Longest error text of a failed turn that is kept, in characters. */
const MAX_ERROR = 2_000;

/**
 * Tells listeners, and with them the audit log, that a turn has failed for good, without what looks
 * like a secret in the words of its agent. What had not begun on the envelope with which its channel
 * came to its own end is no failure: nobody had a turn on that. Throws
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
  const envelope = parseStored(trigger);
  const fields = { ...failure, ...logFieldsOf(envelope), error };
  const standing = context.delivery.standingOf(failure.agent_id, live.id, failure.envelope_id);
  if (standing?.state === "sent" && isLastWord(live, envelope, trigger.position)) {
    context.logger.debug(fields, "nothing was left to do at a channel's end");
    return;
  }
  context.logger.warn(fields, "a turn has failed");
  context.delivery.turnFailed({ ...failure, error });
  context.listeners.emit("onTurnFailed", { ...failure, error });
}

/** True for the envelope upon which the channel's own rules ended it, which leaves a turn to nobody. */
function isLastWord(live: LiveChannel, envelope: Envelope, position: number): boolean {
  const { metadata, state } = live.durable;
  if (!isTerminalState(metadata.state) || position !== live.committed - 1) return false;
  try {
    const close = live.adapter?.onAccepted(metadata, envelope, state).close;
    return close !== undefined && close === metadata.close_reason;
  } catch {
    return false;
  }
}
