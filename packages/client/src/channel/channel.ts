import {
  type ChannelMetadata,
  type ChannelState,
  type ContentPartInput,
  type EnvelopeDraft,
  EV_CONTEXT_SET,
  EV_TEXT,
  isTerminalState,
  type Waiting,
} from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";
import type { Posted } from "../verbs/posted.js";
import { resolveTarget } from "./resolve-target.js";

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
  > {
  /** Pictures, sounds and documents that go with the text; each has `base64_data` or `url`. */
  readonly parts?: readonly ContentPartInput[] | undefined;
}

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
  /**
   * Closes the channel for everybody; `reason` defaults to the hub's. With `drain` it closes once what
   * is under way has ended.
   */
  close(
    reason?: string,
    options?: { readonly drain?: boolean | undefined },
  ): Promise<ChannelMetadata>;
  /** Why nothing moves in it: who is awaited, since when, and what happens next. */
  whyWaiting(): Promise<Waiting>;
  /** Invites somebody, by name or id, into the open channel; resolves once that is durable. */
  invite(nameOrId: string): Promise<ChannelMetadata>;
  /** Leaves it; nothing of it comes any more. */
  leave(reason?: string): Promise<ChannelMetadata>;
  /** Takes a participant, by name or id, out of it, or its invitation back. */
  remove(nameOrId: string, reason?: string): Promise<ChannelMetadata>;
  /** Keeps a participant in it that is addressed no longer and may not speak. */
  hide(nameOrId: string, reason?: string): Promise<ChannelMetadata>;
  /** Ends that. */
  show(nameOrId: string, reason?: string): Promise<ChannelMetadata>;
  /** Sets context variables, for channel types that have them. */
  setContext(values: Readonly<Record<string, unknown>>): Promise<string>;
  /** Deletes context variables. */
  deleteContext(keys: readonly string[]): Promise<string>;
}

/** What a channel's handle asks of a hub. */
type ChannelVerbs = Pick<
  HubVerbs,
  | "getAgent"
  | "getChannel"
  | "whyWaiting"
  | "closeChannel"
  | "inviteParticipant"
  | "leaveChannel"
  | "removeParticipant"
  | "hideParticipant"
  | "showParticipant"
>;

/** The participant in whose hands a channel is. */
export interface ChannelMember {
  readonly agentId: string;
  post(draft: EnvelopeDraft): Promise<Posted>;
}

/**
 * Makes a {@link Channel}.
 *
 * @param member - in whose hands it is, and how it posts
 */
export function createChannel(
  hub: ChannelVerbs,
  initial: ChannelMetadata,
  { agentId, post }: ChannelMember,
): Channel {
  const channelId = initial.channel_id;
  const change = async (
    verb: "removeParticipant" | "hideParticipant" | "showParticipant",
    nameOrId: string,
    reason?: string,
  ): Promise<ChannelMetadata> => {
    const target = await resolveTarget(hub, nameOrId);
    metadata = await hub[verb](channelId, target, { by: agentId, reason });
    return metadata;
  };
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
    send: (content, { parts = [], ...options } = {}) =>
      postEvent(EV_TEXT, { text: content, ...(parts.length === 0 ? {} : { parts }) }, options),
    async info() {
      metadata = await hub.getChannel(channelId);
      return metadata;
    },
    async close(reason, options) {
      metadata = await hub.closeChannel(channelId, reason, options);
      return metadata;
    },
    whyWaiting: () => hub.whyWaiting(channelId),
    async invite(nameOrId) {
      const target = await resolveTarget(hub, nameOrId);
      metadata = await hub.inviteParticipant(channelId, target, agentId);
      return metadata;
    },
    async leave(reason) {
      metadata = await hub.leaveChannel(channelId, agentId, reason);
      return metadata;
    },
    remove: (nameOrId, reason) => change("removeParticipant", nameOrId, reason),
    hide: (nameOrId, reason) => change("hideParticipant", nameOrId, reason),
    show: (nameOrId, reason) => change("showParticipant", nameOrId, reason),
    setContext: (values) => postEvent(EV_CONTEXT_SET, { set: { ...values } }),
    deleteContext: (keys) => postEvent(EV_CONTEXT_SET, { delete: [...keys] }),
  };
}
