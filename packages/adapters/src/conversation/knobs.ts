import { commonKnobs } from "../knobs/common-knobs.js";
import { defineKnobs } from "../knobs/define-knobs.js";
import { loopGuardSchema, maxTurnsSchema } from "../knobs/turn-limits.js";

/** Knobs of `conversation`. It has no `on_silence`: nobody is awaited, so a silent round posts nothing. */
export const conversationKnobs = defineKnobs("conversation", {
  ...commonKnobs,
  max_turns: maxTurnsSchema.optional(),
  loop_guard: loopGuardSchema.optional(),
});
