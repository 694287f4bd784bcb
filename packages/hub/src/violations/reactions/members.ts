import { EV_PARTICIPANT_HIDDEN, isTerminalState } from "@colloquy/protocol";
import type { ChannelDraft } from "../../append/channel-draft.js";
import { checkChange } from "../../channels/check-change.js";
import { draftGoing, draftParticipant } from "../../channels/draft-participant.js";
import type { Violation } from "../../expectations/handler.js";
import type { Reaction } from "./reaction.js";

/** `hide`: each violator reads on, and takes no turn until somebody shows it again. */
export const hideViolators: Reaction = {
  draft: (context, draft, violation) =>
    changeEach(draft, violation, (agentId, reason) => {
      checkChange(context, draft.live, { kind: "hide", agent_id: agentId });
      draftParticipant(context, draft, {
        ...{ kind: "participant_hidden", eventType: EV_PARTICIPANT_HIDDEN },
        ...{ agentId, by: null, reason },
      });
    }),
};

/** `remove`: each violator takes part no longer. */
export const removeViolators: Reaction = {
  draft: (context, draft, violation) =>
    changeEach(draft, violation, (agentId, reason) => {
      checkChange(context, draft.live, { kind: "remove", agent_id: agentId });
      draftGoing(context, draft, agentId, { by: null, reason }, false);
    }),
};

/** One after the other, until the channel ends because too few are left. */
function changeEach(
  draft: ChannelDraft,
  { expectation, violator_ids }: Violation,
  change: (agentId: string, reason: string) => void,
): string | null {
  if (draft.metadata.state === "pending") return "the channel is not open yet";
  if (violator_ids.length === 0) return "there is nobody in particular";
  for (const agentId of violator_ids) {
    if (isTerminalState(draft.metadata.state)) break;
    if (draft.live.participants.has(agentId)) {
      change(agentId, `expectation_violated:${expectation.name}`);
    }
  }
  return null;
}
