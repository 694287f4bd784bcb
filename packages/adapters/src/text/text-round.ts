import type { EnvelopeDraft, Round } from "@colloquy/protocol";
import { isBlank } from "./text-content.js";
import { textEnvelope } from "./text-envelope.js";

/** The text that ends a round, with the envelope that set it off as its cause. */
export function textRound(round: Round<unknown>, text: string): EnvelopeDraft {
  return textEnvelope({
    channelId: round.channelId,
    senderId: round.senderId,
    text,
    parts: round.parts,
    causationId: round.trigger?.envelope_id ?? null,
  });
}

/** True for a round without a word and without a part. */
export function isSilent({ body, parts = [] }: Round<unknown>): boolean {
  return isBlank(body) && parts.length === 0;
}

/** True when the round said nothing and the knob `on_silence` keeps the turn where it is. */
function waitsInSilence(round: Round<unknown>): boolean {
  return isSilent(round) && round.knobs["on_silence"] === "wait";
}

/**
 * The envelope that ends a round where turns are taken by text.
 *
 * A round in which `say` took the turn adds nothing. A silent one passes: an empty text takes the
 * turn, and views skip it; with knob `on_silence` `"wait"` nothing is posted.
 */
export function turnTakingRound(round: Round<unknown>): EnvelopeDraft | null {
  if (round.alreadySpoke || waitsInSilence(round)) return null;
  return textRound(round, isBlank(round.body) ? "" : round.body);
}
