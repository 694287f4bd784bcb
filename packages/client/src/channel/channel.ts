import {
  type ChannelMetadata,
  type ChannelState,
  type EnvelopeDraft,
  EV_CONTEXT_SET,
  EV_TEXT,
  isTerminalState,
} from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";
import type { Posted } from "../verbs/posted.js";

/** How a message in a channel differs from a plain text to everybody. */
export interface SendOptions
  extends Partial<
    Pick<
      EnvelopeDraft,
      | "audience"
      | "causation_id"
      | "depth"
      | "event_data"
      | "event_type"
      | "idempotency_key"
      | "priority"
      | "task_id"
      | "trace_id"
      | "ttl_seconds"
    >
  > {}

/** A channel in the hands of one participant. */
export interface Channel {
  readonly channelId: string;
  /** As it was when the handle was made or last refreshed by `info` or `close`. */
  readonly metadata: ChannelMetadata;
  /** State of that snapshot. */
  readonly state: ChannelState;
  readonly isTerminal: boolean;
  /** Says something; the text is `event_data.text` unless `event_data` is given. Resolves with the envelope's id. */
  send(content: string, options?: SendOptions): Promise<string>;
  /** Reads the metadata again. */
  info(): Promise<ChannelMetadata>;
  /** Closes the channel for everybody; `reason` defaults to the hub's. */
  close(reason?: string): Promise<ChannelMetadata>;
  /** Sets context variables, for channel types that have them. */
  setContext(values: Readonly<Record<string, unknown>>): Promise<string>;
  /** Deletes context variables. */
  deleteContext(keys: readonly string[]): Promise<string>;
}

/**
 * Makes a {@link Channel}.
 *
 * @param post - posts on behalf of the participant
 */
export function createChannel(
  hub: Pick<HubVerbs, "getChannel" | "closeChannel">,
  initial: ChannelMetadata,
  post: (draft: EnvelopeDraft) => Promise<Posted>,
): Channel {
  const channelId = initial.channel_id;
  let metadata = initial;
  const postEvent = async (
    event_type: string,
    event_data: Record<string, unknown>,
    options: SendOptions = {},
  ): Promise<string> => {
    const draft = { channel_id: channelId, event_type, event_data, ...options };
    return (await post(draft)).envelope_id;
  };
  return {
    channelId,
    get metadata() {
      return metadata;
    },
    get state() {
      return metadata.state;
    },
    get isTerminal() {
      return isTerminalState(metadata.state);
    },
    send: (content, options) => postEvent(EV_TEXT, { text: content }, options),
    async info() {
      metadata = await hub.getChannel(channelId);
      return metadata;
    },
    async close(reason) {
      metadata = await hub.closeChannel(channelId, reason);
      return metadata;
    },
    setContext: (values) => postEvent(EV_CONTEXT_SET, { set: { ...values } }),
    deleteContext: (keys) => postEvent(EV_CONTEXT_SET, { delete: [...keys] }),
  };
}
