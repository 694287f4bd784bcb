import type { Clock, KnowledgeStore, TaskMetadata } from "@colloquy/protocol";
import type { ConsultOptions } from "../agent/agent-client.js";
import type { Channel } from "../channel/channel.js";
import type { OpenOptions } from "../channel/open-options.js";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** The task in whose course a tool is called. */
export interface ActiveTask {
  readonly id: string;
  /** Adds to what is known of how far it has come. */
  progress(payload: Readonly<Record<string, unknown>>): void;
  complete(result: unknown): void;
}

/** What the hub is asked by the network tools. */
export type NetworkHub = Pick<
  HubVerbs,
  | "closeChannel"
  | "findAgentId"
  | "getAgent"
  | "getChannel"
  | "getResume"
  | "getSkill"
  | "getTask"
  | "listAgents"
  | "listChannels"
  | "listTasks"
  | "namesFor"
  | "readPage"
  | "searchText"
>;

/**
 * What the network tools may do, on behalf of one agent and, in a turn, in its channel. No model
 * sees any of it.
 */
export interface NetworkPort {
  readonly agentId: string;
  readonly hub: NetworkHub;
  readonly clock: Clock;
  /** What `context` searches with `scope: "knowledge"`; absent for none. */
  readonly knowledge?: KnowledgeStore | undefined;
  /** The channel of the turn; null outside a turn. */
  readonly channelId: string | null;
  /** The task that is under way; null for none. */
  readonly activeTask: ActiveTask | null;
  open(options: OpenOptions): Promise<Channel>;
  channel(channelId: string): Promise<Channel>;
  consult(target: string, prompt: string, options: ConsultOptions): Promise<string>;
  /** Asks the owner of a task that belongs to a channel to end it. */
  requestCancel(task: TaskMetadata, channelId: string, reason: string): Promise<void>;
}
