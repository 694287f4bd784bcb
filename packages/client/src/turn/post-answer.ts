import type { EnvelopeDraft } from "@colloquy/protocol";
import { isClientError } from "../errors.js";
import type { TurnHost } from "./turn-host.js";

/**
 * Posts the envelope that ends a turn, however long the link is down, and once.
 *
 * A hub of the bare profile may not know idempotency keys; there the log is asked whether the
 * answer of a lost request has arrived before it is posted again.
 */
export async function postAnswer(
  host: Pick<TurnHost, "hub" | "client" | "post">,
  draft: EnvelopeDraft & { readonly causation_id: string },
): Promise<string> {
  const { hub, client } = host;
  for (;;) {
    try {
      return (await host.post(draft, { patient: true })).envelope_id;
    } catch (error) {
      if (!isClientError(error) || error.code !== "client/connection_lost") throw error;
    }
    const { channel_id, causation_id } = draft;
    const found = await hub.findEnvelopeByCausation(channel_id, client.agentId, causation_id);
    if (found !== null) return found.envelope_id;
  }
}
