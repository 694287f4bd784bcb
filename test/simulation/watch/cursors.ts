import { require } from "../world/violation.js";
import type { World } from "../world/world.js";

/** Holds that no cursor moves backwards while one hub lives, and none ahead of the disk. */
export interface Cursors {
  check(world: World): void;
}

/** Makes {@link Cursors}. */
export function createCursors(): Cursors {
  let known = new Map<string, string>();
  let life = 0;
  return {
    check({ host, truth, members }) {
      const { hub } = host;
      if (hub === null || host.state !== "running") return;
      if (host.life !== life) known = new Map();
      life = host.life;
      for (const channel of truth.channels.values()) {
        if (channel.isOver) continue;
        for (const { agent_id } of channel.metadata.participants) {
          if (members.some(({ agentId, isGone }) => isGone && agentId === agent_id)) continue;
          const name = `${agent_id} ${channel.id}`;
          const before = known.get(name) ?? "";
          const cursor = hub.inboxCursor(agent_id, channel.id);
          require(cursor >= before, () => `the cursor of ${name} went from ${before} to ${cursor}`);
          const isThere = cursor === "" || host.durable.has(cursor);
          require(isThere, () => `the cursor of ${name} is ${cursor}, which the disk has not`);
          known.set(name, cursor);
        }
      }
    },
  };
}
