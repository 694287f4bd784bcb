import * as z from "zod";
import { commonKnobs, onSilenceSchema } from "../knobs/common-knobs.js";
import { defineKnobs } from "../knobs/define-knobs.js";
import { loopGuardSchema, maxTurnsSchema } from "../knobs/turn-limits.js";

/** Knobs of `discussion`; `ordering` knows one value, `on_silence` is `pass` unless told otherwise. */
export const discussionKnobs = defineKnobs("discussion", {
  ...commonKnobs,
  ordering: z.literal("round_robin").optional(),
  on_silence: onSilenceSchema.optional(),
  max_turns: maxTurnsSchema.optional(),
  loop_guard: loopGuardSchema.optional(),
});
