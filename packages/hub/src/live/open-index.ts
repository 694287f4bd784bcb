import type { ChannelMetadata } from "@colloquy/protocol";

/** Which channels have not ended, by member, by creator and by parent. */
export interface OpenIndex {
  readonly size: number;
  has(channelId: string): boolean;
  add(metadata: ChannelMetadata): void;
  remove(metadata: ChannelMetadata): void;
  /** Ids in any order; channels that it is invited into are among them. */
  ofMember(agentId: string): readonly string[];
  countOfCreator(agentId: string): number;
  /** Ids of those that name this channel as their parent. */
  ofParent(channelId: string): readonly string[];
}

/** Makes an empty {@link OpenIndex}. */
export function createOpenIndex(): OpenIndex {
  const open = new Set<string>();
  const byMember = new Map<string, Set<string>>();
  const byCreator = new Map<string, Set<string>>();
  const byParent = new Map<string, Set<string>>();
  return {
    get size() {
      return open.size;
    },
    has: (channelId) => open.has(channelId),
    add(metadata) {
      open.add(metadata.channel_id);
      for (const agent_id of idsIn(metadata)) {
        put(byMember, agent_id, metadata.channel_id);
      }
      put(byCreator, metadata.creator_id, metadata.channel_id);
      const { parent_channel_id: parent } = metadata;
      if (parent !== null) put(byParent, parent, metadata.channel_id);
    },
    remove(metadata) {
      open.delete(metadata.channel_id);
      for (const agent_id of idsIn(metadata)) {
        take(byMember, agent_id, metadata.channel_id);
      }
      take(byCreator, metadata.creator_id, metadata.channel_id);
      const { parent_channel_id: parent } = metadata;
      if (parent !== null) take(byParent, parent, metadata.channel_id);
    },
    ofMember: (agentId) => [...(byMember.get(agentId) ?? [])],
    ofParent: (channelId) => [...(byParent.get(channelId) ?? [])],
    countOfCreator: (agentId) => byCreator.get(agentId)?.size ?? 0,
  };
}

/** Members, and those who are invited to become one. */
function idsIn({ participants, invited = [] }: ChannelMetadata): string[] {
  return [...participants, ...invited].map(({ agent_id }) => agent_id);
}

function put(index: Map<string, Set<string>>, key: string, channelId: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([channelId]));
  else ids.add(channelId);
}

function take(index: Map<string, Set<string>>, key: string, channelId: string): void {
  const ids = index.get(key);
  ids?.delete(channelId);
  if (ids?.size === 0) index.delete(key);
}
