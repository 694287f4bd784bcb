import * as z from "zod";
import { deadLetterSchema } from "../delivery/dead-letter.js";
import { ledgerLineSchema } from "../delivery/ledger-line.js";
import { nothing, nullableParam, optionalParam } from "./optional-param.js";

/** Most dead letters that one page may hold. */
export const MAX_DEAD_LETTER_PAGE = 1000;

const letterParams = z.object({ recipient_id: z.string(), envelope_id: z.string() });

/** Operations on what became of envelopes. `colloquy.v1` only. */
export const deliveryOperations = {
  /**
   * How an envelope stands with its recipients. Its sender sees all of them, another participant
   * itself; whoever may not see the envelope gets `not_found`.
   */
  ledger: {
    params: z.object({ channel_id: z.string(), envelope_id: z.string() }),
    result: z.object({
      channel_id: z.string(),
      envelope_id: z.string(),
      sender_id: z.string(),
      /** ISO time at which the hub admitted it. */
      admitted_at: z.string(),
      lines: z.array(ledgerLineSchema),
    }),
  },
  /** Envelopes that were given up for the agent, or with `as` `sender` those of its own, oldest first. */
  list_dead_letters: {
    params: z.object({
      agent_id: z.string(),
      as: optionalParam(z.enum(["recipient", "sender"]), "recipient"),
      channel_id: nullableParam(z.string()),
      /** `next` of the page before. */
      after: nullableParam(z.string()),
      limit: optionalParam(z.int().min(1).max(MAX_DEAD_LETTER_PAGE), 100),
    }),
    result: z.object({
      dead_letters: z.array(deadLetterSchema),
      /** Leads to the following page; null at the end. */
      next: z.string().nullable(),
    }),
  },
  /** Makes a dead letter of the recipient outstanding again; its attempts start anew. */
  retry_dead_letter: { params: letterParams, result: deadLetterSchema },
  /** Forgets a dead letter of the recipient for good. */
  drop_dead_letter: { params: letterParams, result: nothing },
};
