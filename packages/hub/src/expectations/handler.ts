import type { ChannelMetadata, Envelope, EnvelopeDraft, Expectation } from "@colloquy/protocol";

/** A broken promise: which one, by whom, and by how much. */
export interface Violation {
  readonly expectation: Expectation;
  /** Empty when it is about the channel as a whole. */
  readonly violator_ids: readonly string[];
  /**
   * `elapsed_seconds` since what began it (of the violator who has waited longest) and
   * `threshold_seconds`, and what the evaluator adds.
   */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What a handler may do; the hub in this process, which trusts it. */
export interface HandlerHub {
  getChannel(channelId: string): Promise<ChannelMetadata>;
  closeChannel(channelId: string, reason?: string): Promise<ChannelMetadata>;
  postEnvelope(draft: EnvelopeDraft): Promise<string>;
  readWal(channelId: string, since?: number): Promise<readonly Envelope[]>;
  nameFor(agentId: string): string;
}

/**
 * What is done about a violation. Called once per violation, after it has become durable: a hub
 * that is killed in between does not call again. A throw or a rejection is logged and changes nothing.
 */
export interface ViolationHandler {
  /** The name by which `on_violation` chooses it. */
  readonly name: string;
  handle(hub: HandlerHub, channelId: string, violation: Violation): void | Promise<void>;
}
