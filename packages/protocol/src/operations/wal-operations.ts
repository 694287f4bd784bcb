import * as z from "zod";
import { envelopeSchema } from "../envelope/envelope.js";
import { nullableParam, optionalParam } from "./optional-param.js";

/** Operations that write to and read from the log of a channel. */
export const walOperations = {
  /** Posts an envelope; gives its id. */
  post_envelope: { params: z.object({ envelope: envelopeSchema }), result: z.string() },
  /** Envelopes with `since` < position ≤ `until`, positions from 1; negative bounds count from the end. */
  read_wal: {
    params: z.object({
      channel_id: z.string(),
      since: optionalParam(z.int(), 0),
      until: nullableParam(z.int()),
    }),
    result: z.array(envelopeSchema),
  },
  /** Newest envelope by which the sender answered another, or null. */
  find_envelope_by_causation: {
    params: z.object({
      channel_id: z.string(),
      sender_id: z.string(),
      causation_id: z.string(),
    }),
    result: envelopeSchema.nullable(),
  },
};
