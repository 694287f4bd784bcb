import { isId } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** The id of a participant by name or id. Rejects with `NotFoundError` when nobody has the name. */
export async function resolveTarget(
  hub: Pick<HubVerbs, "getAgent">,
  target: string,
): Promise<string> {
  if (isId(target)) return target;
  const { agent_id } = await hub.getAgent(target);
  return agent_id ?? target;
}
