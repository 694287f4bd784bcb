import * as z from "zod";
import { commonKnobs, onSilenceSchema } from "../knobs/common-knobs.js";
import { defineKnobs } from "../knobs/define-knobs.js";
import { jsonObjectSchema } from "../knobs/json-object.js";
import { loopGuardSchema } from "../knobs/turn-limits.js";

/** Knobs of `workflow`; `on_silence` is `pass` unless told otherwise. */
export const workflowKnobs = defineKnobs("workflow", {
  ...commonKnobs,
  /** The transition graph; it also holds the cap on turns. */
  graph: jsonObjectSchema,
  /** Context variables at the start; none by default. */
  context_vars: jsonObjectSchema.optional(),
  on_silence: onSilenceSchema.optional(),
  loop_guard: loopGuardSchema.optional(),
  /**
   * False keeps a participant from speaking twice in a row: a rule, handoff or default target that
   * leads back to the last speaker is passed over, and when all do, the next in order speaks.
   * Default: true.
   */
  allow_repeat_speaker: z.boolean().optional(),
});
