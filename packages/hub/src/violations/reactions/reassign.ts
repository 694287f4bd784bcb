import { EV_TURN_REASSIGNED, type ReassignmentPayload } from "@colloquy/protocol";
import type { ChannelDraft } from "../../append/channel-draft.js";
import type { CoreContext } from "../../context/core-context.js";
import { callAdapter } from "../../core/adapter-fault.js";
import { draftHubEnvelope } from "./draft-hub-envelope.js";
import type { Reaction } from "./reaction.js";

/**
 * `reassign`: the turn goes to whom the channel type names, as an envelope to everybody that every
 * fold follows. Only the one whose turn it is can lose it.
 */
export const reassignTurn: Reaction = {
  draft(context, draft, { expectation, violator_ids }) {
    const { adapter, id } = draft.live;
    if (adapter?.reassign === undefined) {
      return `a '${draft.metadata.manifest.type}' channel hands no turn on`;
    }
    const from = expectedAgent(context, draft);
    if (from === null || !violator_ids.includes(from)) return "it is no violator's turn";
    const call = { logger: context.logger, channelId: id, method: "reassign" };
    const to = callAdapter(call, () => adapter.reassign?.(draft.metadata, draft.state, from));
    if (to === null || to === undefined || to === from || !draft.live.participants.has(to)) {
      return "the channel type names nobody who could take the turn";
    }
    const payload: ReassignmentPayload = { from, to, expectation: expectation.name };
    draftHubEnvelope(context, draft, { eventType: EV_TURN_REASSIGNED, payload, audience: null });
    return null;
  },
};

function expectedAgent({ logger }: CoreContext, draft: ChannelDraft): string | null {
  const { adapter, id } = draft.live;
  const call = { logger, channelId: id, method: "expectedNext" };
  const expected = callAdapter(call, () => adapter?.expectedNext(draft.metadata, draft.state));
  return expected?.agent_id ?? null;
}
