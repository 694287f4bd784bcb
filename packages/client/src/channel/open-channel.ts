import type { ChannelMetadata } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";
import type { OpenOptions } from "./open-options.js";
import { resolveTarget } from "./resolve-target.js";

/** Opens a channel on behalf of a participant; resolves when it is active. */
export async function openChannel(
  hub: HubVerbs,
  creatorId: string,
  options: OpenOptions,
): Promise<ChannelMetadata> {
  const targets = typeof options.target === "string" ? [options.target] : options.target;
  const participants = await Promise.all(targets.map((target) => resolveTarget(hub, target)));
  return hub.createChannel({
    creator_id: creatorId,
    manifest_type: options.type,
    manifest_version: options.version,
    participants,
    ttl: options.ttl,
    knobs: options.knobs === undefined ? undefined : { ...options.knobs },
    intent: options.intent,
    labels: options.labels === undefined ? undefined : { ...options.labels },
    required_acks: options.requiredAcks,
    parent_channel_id: options.parent,
  });
}
