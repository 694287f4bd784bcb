import { type Envelope, type StoredEnvelope, StoreError } from "@colloquy/protocol";

/** The envelope of a stored body, every field as it was written; unknown ones are kept. */
export function parseStored(stored: Pick<StoredEnvelope, "body" | "envelope_id">): Envelope {
  try {
    return JSON.parse(stored.body) as Envelope;
  } catch (cause) {
    throw new StoreError(`the stored envelope ${stored.envelope_id} is not JSON`, { cause });
  }
}
