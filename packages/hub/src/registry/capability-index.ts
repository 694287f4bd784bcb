import type { Resume } from "@colloquy/protocol";

/** Which agents claim or have shown a capability. */
export interface CapabilityIndex {
  /** Takes an agent in, or brings it up to date. */
  put(agentId: string, resume: Resume): void;
  remove(agentId: string): void;
  has(agentId: string, capability: string): boolean;
  /** Sorted ids. */
  find(capability: string): readonly string[];
}

/** Makes an empty {@link CapabilityIndex}. */
export function createCapabilityIndex(): CapabilityIndex {
  const holders = new Map<string, Set<string>>();
  const capabilities = new Map<string, ReadonlySet<string>>();
  const remove = (agentId: string): void => {
    for (const capability of capabilities.get(agentId) ?? []) {
      const ids = holders.get(capability);
      ids?.delete(agentId);
      if (ids?.size === 0) holders.delete(capability);
    }
    capabilities.delete(agentId);
  };
  return {
    remove,
    put(agentId, resume) {
      remove(agentId);
      const all = new Set([...resume.claimed_capabilities, ...Object.keys(resume.observed)]);
      capabilities.set(agentId, all);
      for (const capability of all) {
        const ids = holders.get(capability) ?? new Set();
        holders.set(capability, ids.add(agentId));
      }
    },
    has: (agentId, capability) => capabilities.get(agentId)?.has(capability) ?? false,
    find: (capability) => [...(holders.get(capability) ?? [])].sort(),
  };
}
