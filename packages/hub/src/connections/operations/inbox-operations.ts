import type { ColloquyOperationName } from "@colloquy/protocol";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireBound } from "./scopes.js";

type InboxOperationName = Extract<ColloquyOperationName, "get_inbox" | "empty_inbox">;

const byAgent = (caller: Caller, raw: RawParams): void => requireBound(caller, raw["agent_id"]);

/** An inbox is its owner's to see and to empty. */
export const inboxOperations: Operations<InboxOperationName> = {
  get_inbox: {
    authorize: byAgent,
    run: ({ work }, { agent_id, limit }) => work.hub.inbox(agent_id, limit),
    bulky: true,
  },
  empty_inbox: {
    authorize: byAgent,
    run: ({ work }, { agent_id, channel_id, reason }) =>
      work.hub.emptyInbox(agent_id, { channel_id, reason }),
  },
};
