import { createEnvelope, type EnvelopeDraft } from "@colloquy/protocol";
import { type Call, parseResult } from "../connection/call.js";
import type { Posted } from "./posted.js";

/**
 * A post. It may be sent again when it carries an idempotency key and the hub is known to honour it;
 * a hub that speaks the bare profile may not.
 */
export function postCall(draft: EnvelopeDraft): Call<Posted> {
  const envelope = createEnvelope(draft);
  return {
    name: "post",
    request: (profile) => ({
      op: profile === "ag2" ? "post_envelope" : "post",
      params: { envelope },
    }),
    result(value, profile) {
      if (profile !== "ag2") return parseResult("post", value);
      const envelope_id = parseResult("post_envelope", value);
      return { envelope_id, position: null, created_at: null, duplicate: false, notes: [] };
    },
    repeatable: (profile) => profile !== "ag2" && envelope.idempotency_key !== null,
  };
}
