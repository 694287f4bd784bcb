import type { EnvelopeDraft } from "@colloquy/protocol";
import { isClientError } from "../errors.js";
import { overBreaks } from "./over-breaks.js";
import type { TurnHost } from "./turn-host.js";

/** What ended a turn, and what the hub remarked on it. */
export interface Answer {
  readonly envelope_id: string;
  readonly notes: readonly string[];
}

/**
 * Posts the envelope that ends a turn, however long the link is down, and once.
 *
 * A hub of the bare profile may not know idempotency keys; there the log is asked whether the
 * answer of a lost request has arrived before it is posted again.
 *
 * @param signal - ends the search for it, with the signal's reason
 */
export async function postAnswer(
  host: Pick<TurnHost, "hub" | "client" | "post">,
  draft: EnvelopeDraft & { readonly causation_id: string },
  signal: AbortSignal,
): Promise<Answer> {
  const { hub, client } = host;
  for (;;) {
    try {
      const { envelope_id, notes } = await host.post(draft, { patient: true });
      return { envelope_id, notes };
    } catch (error) {
      if (!isClientError(error) || error.code !== "client/connection_lost") throw error;
    }
    const { channel_id, causation_id } = draft;
    const found = await overBreaks(
      () => hub.findEnvelopeByCausation(channel_id, client.agentId, causation_id),
      signal,
    );
    if (found !== null) return { envelope_id: found.envelope_id, notes: [] };
  }
}
