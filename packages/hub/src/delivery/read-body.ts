import { type Envelope, parseWith, type StoredEnvelope } from "@colloquy/protocol";
import { storedEnvelopeSchema } from "../wal/parse-stored.js";

/** The body of a stored envelope; null when it is none any more. */
export function readBody(stored: StoredEnvelope): Envelope | null {
  try {
    return parseWith(storedEnvelopeSchema, JSON.parse(stored.body), "stored envelope");
  } catch {
    return null;
  }
}
