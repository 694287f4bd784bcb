import type { ChannelMetadata } from "@colloquy/protocol";

/** Who takes part in a channel, as the sets that admission and delivery ask. */
export interface MemberSets {
  readonly participants: ReadonlySet<string>;
  /** Those of them who are spoken to: all but the hidden. The same object while nobody is hidden. */
  readonly addressed: ReadonlySet<string>;
}

/** The sets of a channel's members. */
export function memberSetsOf({ participants: members }: ChannelMetadata): MemberSets {
  const participants = new Set(members.map(({ agent_id }) => agent_id));
  if (members.every(({ hidden }) => hidden !== true))
    return { participants, addressed: participants };
  const shown = members.filter(({ hidden }) => hidden !== true);
  return { participants, addressed: new Set(shown.map(({ agent_id }) => agent_id)) };
}
