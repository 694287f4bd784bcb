import { type Clock, EV_TASK_CANCEL_REQUEST, type KnowledgeStore } from "@colloquy/protocol";
import type { AgentClient } from "../agent/agent-client.js";
import type { NetworkPort } from "./network-port.js";

/** What {@link createNetworkPort} ties together. */
export interface NetworkPortOptions {
  /** In a turn the turn's own client, whose questions and posts count as one hop further. */
  readonly client: AgentClient;
  readonly clock: Clock;
  readonly knowledge?: KnowledgeStore | undefined;
  readonly channelId: string | null;
  /** The task that is under way when a tool is called; null for none. */
  activeTask(): NetworkPort["activeTask"];
}

/** Ties the network tools to an agent and, in a turn, to its channel. */
export function createNetworkPort(options: NetworkPortOptions): NetworkPort {
  const { client, clock, channelId } = options;
  return {
    agentId: client.agentId,
    hub: client.hub,
    clock,
    knowledge: options.knowledge,
    channelId,
    get activeTask() {
      return options.activeTask();
    },
    open: (openOptions) => client.open(openOptions),
    channel: (id) => client.channel(id),
    consult: (target, prompt, consultOptions) => client.consult(target, prompt, consultOptions),
    async requestCancel({ task_id, owner_id }, channel_id, reason) {
      await client.send({
        channel_id,
        event_type: EV_TASK_CANCEL_REQUEST,
        event_data: { task_id, reason },
        audience: [owner_id],
      });
    },
  };
}
