import { commonKnobs, onSilenceSchema } from "../knobs/common-knobs.js";
import { defineKnobs } from "../knobs/define-knobs.js";

/** Knobs of `consulting`; `on_silence` is `pass` unless told otherwise. */
export const consultingKnobs = defineKnobs("consulting", {
  ...commonKnobs,
  on_silence: onSilenceSchema.optional(),
});
