import type { Hub } from "@colloquy/hub";
import { EV_TEXT } from "@colloquy/protocol";
import { bindLocally } from "./local-members.js";
import { NOTIFIES_PER_CONVERSATION, openConversation } from "./open-channels.js";
import { registerAgents } from "./register.js";

/** Agents among whom the channels are spread. */
const AGENTS = 100;
/** Channels that are opened at a time. */
const AT_ONCE = 256;

/** How many channels to open. */
export interface IdleChannelsWanted {
  readonly count: number;
  /** Begins the names of the participants. */
  readonly prefix: string;
}

/** Opens conversations in which one text was said and acknowledged, and which rest since then. */
export async function openIdleChannels(
  hub: Hub,
  { count, prefix }: IdleChannelsWanted,
): Promise<void> {
  const agents = await registerAgents(hub, prefix, AGENTS);
  const members = await bindLocally(hub, agents);
  const openOne = async (index: number): Promise<void> => {
    const creator = agents[index % AGENTS];
    const other = agents[(index + 1) % AGENTS];
    if (creator === undefined || other === undefined) throw new Error("there are no agents");
    const channelId = await openConversation(hub, creator, other);
    await hub.post({
      channel_id: channelId,
      sender_id: creator.id,
      event_type: EV_TEXT,
      event_data: { text: "Good morning." },
    });
  };
  for (let at = 0; at < count; at += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, index) => at + index);
    await Promise.all(group.map(openOne));
  }
  await members.waitFor(count * (NOTIFIES_PER_CONVERSATION + 1));
  members.leave();
}
