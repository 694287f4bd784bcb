import type { ChannelMetadata } from "@colloquy/protocol";
import { memberWithRole } from "../members/role.js";
import type { ConsultingState } from "./state.js";

/** Who has the floor: the initiator, then the respondent, then nobody. */
export function floorOf(channel: ChannelMetadata, state: ConsultingState): string | null {
  if (!state.initiator_sent) return memberWithRole(channel, "initiator");
  return state.respondent_replied ? null : memberWithRole(channel, "respondent");
}
