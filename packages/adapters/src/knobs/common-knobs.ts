import * as z from "zod";
import { viewKnobSchema } from "./view-knob.js";

/**
 * One entry of the `expectations` knob.
 *
 * An entry named like one of the manifest changes the fields that it gives; an entry with another
 * name adds an expectation and must say what happens `on_violation`.
 */
export const expectationKnobSchema = z.strictObject({
  name: z.string().min(1),
  on_violation: z.string().min(1).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  applies_to: z.array(z.string()).nullable().optional(),
});

/** Knobs that every channel type takes. */
export const commonKnobs = {
  /** See {@link viewKnobSchema}. */
  view: viewKnobSchema.optional(),
  /** Expectations of this channel, beside or instead of those of the manifest. */
  expectations: z.array(expectationKnobSchema).max(100).optional(),
  /** What the channel was opened for, as a delegating agent wrote it; for information. */
  capability: z.string().max(256).optional(),
};

/** What a silent round does: `pass` takes the turn without a word, `wait` leaves it where it is. */
export const onSilenceSchema = z.enum(["pass", "wait"]);
