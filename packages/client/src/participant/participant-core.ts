import {
  type Clock,
  type DeltaFrame,
  type Envelope,
  type EnvelopeDraft,
  type IdSource,
  isNetworkError,
  type Logger,
} from "@colloquy/protocol";
import type { ParticipantClient, Stopped, StopReason } from "../agent/participant-client.js";
import { createChannel } from "../channel/channel.js";
import { openChannel } from "../channel/open-channel.js";
import type { CallOptions } from "../connection/request-table.js";
import { ClientError, isClientError, messageOf } from "../errors.js";
import {
  type ChannelInboxes,
  createChannelInboxes,
  type InboxBounds,
} from "../inbox/channel-inboxes.js";
import { createChannelObservers } from "../inbox/channel-observers.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { Posted } from "../verbs/posted.js";
import { cancelTask } from "./cancel-task.js";
import type { Identity } from "./hosted-participant.js";
import { createMetadataCache, type MetadataCache } from "./metadata-cache.js";
import { createOwnPositions } from "./own-positions.js";

/** How long a wait for an event of a channel lasts unless told otherwise, in milliseconds. */
const DEFAULT_WAIT_MS = 300_000;

/** What a participant is made of. */
export interface ParticipantOptions extends Identity {
  readonly hub: HubPort;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly inbox: InboxBounds;
  /** Asks the hub to take the participant out of the registry. */
  unregister(agentId: string): Promise<void>;
  /** The participant has stopped here. */
  onStopped(agentId: string): void;
}

/** What agents and people share: identity, channels, inboxes, and a life that ends. */
export interface ParticipantCore {
  /** The public part, to be completed with what is particular. */
  readonly client: Omit<ParticipantClient, keyof AsyncDisposable>;
  readonly inboxes: ChannelInboxes;
  readonly metadata: MetadataCache;
  readonly isActive: boolean;
  /** Aborted when it stops. */
  readonly life: AbortSignal;
  /** As the client's `post`, with a say in how long it is tried. */
  post(draft: EnvelopeDraft, options?: CallOptions): Promise<Posted>;
  lastOwnPosition(channelId: string): number | null;
  /** An envelope has come for the first time; its position is null on the bare profile. */
  hearEnvelope(envelope: Envelope, position: number | null): void;
  hearDelta(delta: DeltaFrame): void;
  stop(reason: StopReason, error?: Error): void;
  /** Throws `client/disconnected` once stopped. */
  requireActive(): void;
}

/** Makes a {@link ParticipantCore}. */
export function createParticipantCore(options: ParticipantOptions): ParticipantCore {
  const { hub, passport, clock, ids, logger } = options;
  const agentId = passport.agent_id;
  const { name } = passport;
  const inboxes = createChannelInboxes(clock, options.inbox);
  const metadata = createMetadataCache((channelId) => hub.getChannel(channelId));
  const own = createOwnPositions();
  const observers = createChannelObservers(logger);
  const deltaListeners = new Set<(delta: DeltaFrame) => void>();
  const life = new AbortController();
  let { resume, rule } = options;
  let status: ParticipantClient["status"] = "active";
  let resolveStopped: (stopped: Stopped) => void = () => undefined;
  const stopped = new Promise<Stopped>((resolve) => {
    resolveStopped = resolve;
  });

  const stop = (reason: StopReason, error?: Error): void => {
    if (status !== "active") return;
    status = reason;
    const end = disconnected(name, reason, error);
    life.abort(end);
    inboxes.end(end);
    options.onStopped(agentId);
    resolveStopped({ reason, error: error ?? null });
  };
  const requireActive = (): void => {
    if (status !== "active") throw disconnected(name, status);
  };
  const signed = <D extends EnvelopeDraft>(draft: D) => ({
    ...draft,
    sender_id: draft.sender_id === undefined || draft.sender_id === "" ? agentId : draft.sender_id,
  });
  const post: ParticipantCore["post"] = async (draft, callOptions = {}) => {
    requireActive();
    const whole = {
      ...signed(draft),
      idempotency_key: draft.idempotency_key ?? ids.next(),
    };
    try {
      const posted = await hub.post(whole, { signal: life.signal, ...callOptions });
      own.note(draft.channel_id, posted.position);
      observers.tell(draft.channel_id, (observer) => observer.onPosted(posted.position));
      return posted;
    } catch (error) {
      throw unsent(error, whole, life.signal);
    }
  };

  const client: ParticipantCore["client"] = {
    agentId,
    name,
    passport,
    hub,
    stopped,
    get resume() {
      return resume;
    },
    get rule() {
      return rule;
    },
    get status() {
      return status;
    },
    async open(openOptions) {
      requireActive();
      const opened = await openChannel(hub, agentId, openOptions);
      metadata.set(opened);
      inboxes.ensure(opened.channel_id);
      return createChannel(hub, opened, client);
    },
    async channel(channelId) {
      requireActive();
      return createChannel(hub, await hub.getChannel(channelId), client);
    },
    post: (draft) => post(draft),
    async wouldAccept(draft) {
      requireActive();
      return hub.wouldAccept(signed(draft));
    },
    async send(draft) {
      return (await post(draft)).envelope_id;
    },
    channelInbox: (channelId) => inboxes.ensure(channelId),
    hasChannelInbox: (channelId) => inboxes.has(channelId),
    discardChannelInbox: (channelId) => inboxes.discard(channelId),
    async waitForChannelEvent(channelId, predicate, timeoutMs = DEFAULT_WAIT_MS) {
      return inboxes.ensure(channelId).take(predicate, { timeoutMs });
    },
    observeChannel(channelId, observer) {
      requireActive();
      return observers.add(channelId, observer);
    },
    onDelta(listener) {
      deltaListeners.add(listener);
      return () => void deltaListeners.delete(listener);
    },
    async cancelTask(taskId, reason = "") {
      requireActive();
      return cancelTask(client, taskId, reason);
    },
    async setResume(next) {
      requireActive();
      await hub.setResume(agentId, next);
      resume = next;
    },
    async addExample(example) {
      requireActive();
      const present = await hub.getResume(agentId);
      const added = {
        outcome: "",
        task_id: null,
        channel_id: null,
        when: null,
        note: "",
        ...example,
      };
      await client.setResume({ ...present, examples: [...present.examples, added] });
    },
    async setSkill(skill) {
      requireActive();
      await hub.setSkill(agentId, skill);
    },
    async setRule(next) {
      requireActive();
      await hub.setRule(agentId, next);
      rule = next;
    },
    async unregister() {
      if (status !== "active" && status !== "disconnected") return;
      try {
        await options.unregister(agentId);
      } catch (error) {
        // Whoever is not registered any more is not bound either, so the refusal alone says little.
        if (!isNetworkError(error) || !(await isGone(hub, agentId))) throw error;
      }
      stop("unregistered");
    },
    disconnect: () => stop("disconnected"),
  };

  return {
    client,
    inboxes,
    metadata,
    post,
    life: life.signal,
    get isActive() {
      return status === "active";
    },
    lastOwnPosition: (channelId) => own.last(channelId),
    hearEnvelope(envelope, position) {
      inboxes.push(envelope);
      const { channel_id } = envelope;
      observers.tell(channel_id, (observer) => observer.onEnvelope(envelope, position));
    },
    hearDelta(delta) {
      const { channel_id } = delta;
      observers.tell(channel_id, (observer) => observer.onDelta(delta));
      if (!inboxes.has(channel_id) && !metadata.has(channel_id)) return;
      for (const listener of [...deltaListeners]) {
        try {
          listener(delta);
        } catch (error) {
          logger.error({ name, error: messageOf(error) }, "a delta listener threw");
        }
      }
    },
    stop,
    requireActive,
  };
}

async function isGone(hub: HubPort, agentId: string): Promise<boolean> {
  try {
    await hub.getAgent(agentId);
    return false;
  } catch (error) {
    return isNetworkError(error) && error.code === "not_found";
  }
}

function disconnected(name: string, reason: StopReason, error?: Error): ClientError {
  const text = `participant '${name}' is disconnected (${reason.replace("_", " ")})`;
  return new ClientError("client/disconnected", text, { cause: error });
}

/** What befell the connection, with the draft, so that it is not lost; refusals of the hub as they are. */
function unsent(error: unknown, draft: EnvelopeDraft, life: AbortSignal): unknown {
  if (!isClientError(error)) return error;
  if (life.aborted) return life.reason;
  return new ClientError(error.code, error.message, { cause: error, details: { draft } });
}
