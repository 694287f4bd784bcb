import type { Hub } from "@colloquy/hub";
import type { CirclePlan } from "../load/circle.js";
import type { LanePlan } from "../load/lane-plan.js";
import { bindLocally } from "./local-members.js";
import { type Registered, registerAgents } from "./register.js";

/** Notifies that the opening of a conversation causes: an invitation, and the opening to both. */
export const NOTIFIES_PER_CONVERSATION = 3;

/** How many lanes to open, and over how many conversations each of them speaks. */
export interface LanesWanted {
  /** Begins the names of the participants. */
  readonly prefix: string;
  readonly lanes: number;
  readonly channels: number;
}

/** Opens a conversation between two agents, active at once. */
export async function openConversation(
  hub: Hub,
  creator: Registered,
  other: Registered,
): Promise<string> {
  const { channel_id } = await hub.createChannel({
    creator_id: creator.id,
    manifest_type: "conversation",
    participants: [creator.id, other.id],
    required_acks: 0,
    ttl: 0,
  });
  return channel_id;
}

/** Registers a pair of agents per lane and opens their conversations; nothing is outstanding then. */
export async function openLanes(hub: Hub, wanted: LanesWanted): Promise<LanePlan[]> {
  const { prefix, lanes, channels } = wanted;
  const speakers = await registerAgents(hub, `${prefix}-speaker`, lanes);
  const hearers = await registerAgents(hub, `${prefix}-hearer`, lanes);
  const members = await bindLocally(hub, [...speakers, ...hearers]);
  const plans: LanePlan[] = [];
  for (const [lane, speaker] of speakers.entries()) {
    const hearer = hearers[lane];
    if (hearer === undefined) throw new Error("every speaker needs a hearer");
    const opening = Array.from({ length: channels }, () => openConversation(hub, speaker, hearer));
    const ids = await Promise.all(opening);
    const voices = ids.map((channelId) => ({ channelId, senderId: speaker.id }));
    plans.push({ names: [speaker.name, hearer.name], voices });
  }
  await members.waitFor(lanes * channels * NOTIFIES_PER_CONVERSATION);
  members.leave();
  return plans;
}

/** Registers agents and opens one discussion of all of them; nothing is outstanding then. */
export async function openDiscussion(hub: Hub, size: number): Promise<Omit<CirclePlan, "url">> {
  const agents = await registerAgents(hub, "member", size);
  const members = await bindLocally(hub, agents);
  const { channel_id } = await hub.createChannel({
    creator_id: agents[0]?.id ?? "",
    manifest_type: "discussion",
    participants: agents.map(({ id }) => id),
    required_acks: 0,
    ttl: 0,
  });
  await members.waitFor(size - 1 + size);
  members.leave();
  return { channelId: channel_id, members: agents };
}
