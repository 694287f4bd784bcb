import type { Hub } from "@colloquy/hub";
import { createPassport, createResume, createRule } from "@colloquy/protocol";

/** A registered participant. */
export interface Registered {
  readonly id: string;
  readonly name: string;
}

/**
 * Registers agents `<prefix>0`, `<prefix>1` and so on. Their inboxes have no bound, since a
 * benchmark that is refused measures nothing.
 */
export async function registerAgents(
  hub: Hub,
  prefix: string,
  count: number,
): Promise<Registered[]> {
  const rule = createRule({ limits: { inbox: { max_pending: 0 } } });
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  return await Promise.all(
    names.map(async (name) => {
      const passport = createPassport({ name });
      const { agent_id } = await hub.registerIdentity({ passport, resume: createResume({}), rule });
      if (agent_id === null) throw new Error(`${name} got no id`);
      return { id: agent_id, name };
    }),
  );
}
