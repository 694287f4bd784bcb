import { draftEnd } from "../../channels/draft-transition.js";
import type { Reaction } from "./reaction.js";

/** `auto_close`: the channel closes with reason `expectation_violated:<name>`. */
export const autoClose: Reaction = {
  draft(context, draft, { expectation }) {
    const reason = `expectation_violated:${expectation.name}`;
    draftEnd(context, draft, { state: "closed", reason });
    return null;
  },
};
