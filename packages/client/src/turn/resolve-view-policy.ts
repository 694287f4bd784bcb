import type { ChannelMetadata, ViewPolicy } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** The view that a participant's model gets in a channel: by its knob `view`, else by its type. */
export function resolveViewPolicy(
  hub: Pick<HubVerbs, "adapterFor" | "viewFor">,
  metadata: ChannelMetadata,
  agentId: string,
): ViewPolicy {
  return hub.viewFor(hub.adapterFor(metadata).defaultView(metadata, agentId));
}
