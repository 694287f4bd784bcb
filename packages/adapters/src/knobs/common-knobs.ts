import { expectationKnobSchema } from "@colloquy/protocol";
import * as z from "zod";
import { viewKnobSchema } from "./view-knob.js";

/** Knobs that every channel type takes. */
export const commonKnobs = {
  /** See {@link viewKnobSchema}. */
  view: viewKnobSchema.optional(),
  /** Expectations of this channel, in place of those of the manifest or beside them. */
  expectations: expectationKnobSchema.optional(),
  /**
   * What somebody who joins later sees of what was said to everybody before: `full`, all of it;
   * `since_join`, nothing. Default: `full`. What was said to others is never shown.
   */
  history: z.enum(["full", "since_join"]).optional(),
  /** What the channel was opened for, as a delegating agent wrote it; for information. */
  capability: z.string().max(256).optional(),
};

/** What a silent round does: `pass` takes the turn without a word, `wait` leaves it where it is. */
export const onSilenceSchema = z.enum(["pass", "wait"]);
