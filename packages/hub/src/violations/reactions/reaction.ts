import type { ChannelDraft } from "../../append/channel-draft.js";
import type { CoreContext } from "../../context/core-context.js";
import type { Violation } from "../../expectations/handler.js";

/**
 * What the hub itself does about a violation. All that it writes is one commit with the mark that the
 * violation has fired.
 */
export interface Reaction {
  /** Adds what follows. Gives why it cannot be done, in a sentence; null when it is. */
  draft(context: CoreContext, draft: ChannelDraft, violation: Violation): string | null;
}
