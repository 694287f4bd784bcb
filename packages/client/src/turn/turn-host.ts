import type {
  ChannelMetadata,
  Clock,
  DeltaFrame,
  EnvelopeDraft,
  KnowledgeStore,
  Logger,
} from "@colloquy/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentClient } from "../agent/agent-client.js";
import type { CallOptions } from "../connection/request-table.js";
import type { AgentTasks } from "../task/agent-tasks.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { Posted } from "../verbs/posted.js";
import type { TurnSlots } from "./turn-slots.js";

/** What running turns needs of the participant that runs them. */
export interface TurnHost {
  readonly agent: Agent;
  readonly client: AgentClient;
  readonly hub: HubPort;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds that one turn may take. */
  readonly turnTimeoutMs: number;
  readonly slots: TurnSlots;
  readonly tasks: Pick<AgentTasks, "openScope">;
  /** Turns get the network tools. */
  readonly networkTools: boolean;
  /** What the network tools search beside the log. */
  readonly knowledge?: KnowledgeStore | undefined;
  /** Metadata of a channel; its type and knobs never change, so an older copy will do. */
  metadataOf(channelId: string): Promise<ChannelMetadata>;
  /** Posts on behalf of the agent. */
  post(draft: EnvelopeDraft, options?: CallOptions): Promise<Posted>;
  /**
   * Position of the newest envelope that the agent has posted in a channel; null where that is not
   * known, as in a new process or on the bare profile.
   */
  lastOwnPosition(channelId: string): number | null;
  /** Milliseconds for which pieces of an answer are gathered before they are sent; 0 sends each at once. */
  readonly deltaIntervalMs: number;
  sendDelta(frame: DeltaFrame): void;
}
