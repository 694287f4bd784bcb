import { type Envelope, envelopeSchema, type StoredEnvelope, StoreError } from "@colloquy/protocol";
import * as z from "zod";

/** An envelope as it may stand in a WAL: fields that this version does not know are kept. */
export const storedEnvelopeSchema = z.looseObject(envelopeSchema.shape);

/** The envelope of a stored body, every field as it was written; unknown ones are kept. */
export function parseStored(stored: Pick<StoredEnvelope, "body" | "envelope_id">): Envelope {
  try {
    return JSON.parse(stored.body) as Envelope;
  } catch (cause) {
    throw new StoreError(`the stored envelope ${stored.envelope_id} is not JSON`, { cause });
  }
}
