import { type Envelope, envelopeSchema, type StoredEnvelope } from "@colloquy/protocol";

/** The envelope in a stored body; null when the body is none. */
export function readBody(stored: StoredEnvelope): Envelope | null {
  try {
    const parsed = envelopeSchema.safeParse(JSON.parse(stored.body));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
