import type { ChannelMetadata } from "@colloquy/protocol";

/** Which channels have not ended, by member and by creator. */
export interface OpenIndex {
  readonly size: number;
  has(channelId: string): boolean;
  add(metadata: ChannelMetadata): void;
  remove(metadata: ChannelMetadata): void;
  /** Ids in any order. */
  ofMember(agentId: string): readonly string[];
  countOfCreator(agentId: string): number;
}

/** Makes an empty {@link OpenIndex}. */
export function createOpenIndex(): OpenIndex {
  const open = new Set<string>();
  const byMember = new Map<string, Set<string>>();
  const byCreator = new Map<string, Set<string>>();
  return {
    get size() {
      return open.size;
    },
    has: (channelId) => open.has(channelId),
    add(metadata) {
      open.add(metadata.channel_id);
      for (const { agent_id } of metadata.participants) {
        put(byMember, agent_id, metadata.channel_id);
      }
      put(byCreator, metadata.creator_id, metadata.channel_id);
    },
    remove(metadata) {
      open.delete(metadata.channel_id);
      for (const { agent_id } of metadata.participants) {
        take(byMember, agent_id, metadata.channel_id);
      }
      take(byCreator, metadata.creator_id, metadata.channel_id);
    },
    ofMember: (agentId) => [...(byMember.get(agentId) ?? [])],
    countOfCreator: (agentId) => byCreator.get(agentId)?.size ?? 0,
  };
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
