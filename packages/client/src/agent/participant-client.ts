import type {
  Acceptance,
  DeltaFrame,
  EnvelopeDraft,
  Passport,
  Resume,
  ResumeExample,
  Rule,
  TaskMetadata,
} from "@colloquy/protocol";
import type { Channel } from "../channel/channel.js";
import type { OpenOptions } from "../channel/open-options.js";
import type { ChannelObserver } from "../inbox/channel-observers.js";
import type { EnvelopePredicate, EnvelopeQueue } from "../inbox/envelope-queue.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { Posted } from "../verbs/posted.js";

/**
 * Why a participant takes part no longer: `disconnected` by its owner, `unregistered`, `replaced` by
 * another connection, `refused` by the hub for good, or its hub client was closed.
 */
export type StopReason = "disconnected" | "unregistered" | "replaced" | "refused" | "hub_closed";

/** How a participant came to its end here. */
export interface Stopped {
  readonly reason: StopReason;
  /** The hub's refusal, when there was one. */
  readonly error: Error | null;
}

/** What agents and people have in common: an identity at a hub that takes part in channels. */
export interface ParticipantClient extends AsyncDisposable {
  readonly agentId: string;
  readonly name: string;
  /** As the hub stamped it, without its claim. */
  readonly passport: Passport;
  /** As last set or read here. */
  readonly resume: Resume;
  readonly rule: Rule;
  /** The hub client through which it takes part. */
  readonly hub: HubPort;
  /** `active`, or why it has stopped. It stays active while a lost link is dialled again. */
  readonly status: "active" | StopReason;
  /** Resolves when it has stopped. */
  readonly stopped: Promise<Stopped>;

  /** Opens a channel and resolves when it is active. */
  open(options: OpenOptions): Promise<Channel>;
  /** The handle of a channel that it takes part in. */
  channel(channelId: string): Promise<Channel>;
  /**
   * Posts an envelope; an empty `sender_id` is filled in and an idempotency key is added, so that it
   * may be sent again after a break. Rejects with `client/disconnected` once stopped; a failure of
   * the connection carries the draft in `details.draft`.
   */
  post(draft: EnvelopeDraft): Promise<Posted>;
  /** What {@link ParticipantClient.post} would meet now; see `HubVerbs.wouldAccept`. */
  wouldAccept(draft: EnvelopeDraft): Promise<Acceptance>;
  /** {@link ParticipantClient.post}, giving only the id. */
  send(draft: EnvelopeDraft): Promise<string>;

  /** What has arrived in a channel and was not waited for yet; the same object each time. */
  channelInbox(channelId: string): EnvelopeQueue;
  hasChannelInbox(channelId: string): boolean;
  discardChannelInbox(channelId: string): void;
  /**
   * Takes envelopes of a channel out of its inbox, those that came before the call too, until one
   * meets the predicate. Rejects with `client/timed_out`.
   *
   * @param timeoutMs - default 300,000
   */
  waitForChannelEvent(
    channelId: string,
    predicate: EnvelopePredicate,
    timeoutMs?: number,
  ): ReturnType<EnvelopeQueue["take"]>;
  /**
   * Hears what comes of a channel, whatever has become of it otherwise; returns a function that ends
   * it. What `followChannel` of `@colloquy/client/live` stands on, which also shows what was missed.
   * Throws `client/disconnected` once stopped.
   */
  observeChannel(channelId: string, observer: ChannelObserver): () => void;
  /**
   * Hears pieces of answers while others write them, under `colloquy.v1`. They may have gaps; the
   * envelope that follows is the truth. Returns a function that ends it.
   */
  onDelta(listener: (delta: DeltaFrame) => void): () => void;

  /**
   * Asks for a task's end. A task that runs here is cancelled at once; another owner gets an
   * envelope in the task's channel, which reaches the running task through its signal. Resolves with
   * the task as it was found, or as it has become here; one that has ended is left alone. Another's
   * end is seen through `hub.getTask`.
   *
   * Rejects with `NotFoundError` for a task that this participant may not see, and `ProtocolError`
   * for another's task without a channel.
   *
   * @param reason - becomes the task's error; at most 500 characters reach another owner
   */
  cancelTask(taskId: string, reason?: string): Promise<TaskMetadata>;

  setResume(resume: Resume): Promise<void>;
  /** Adds finished work to the resume as it stands at the hub. */
  addExample(example: Pick<ResumeExample, "title"> & Partial<ResumeExample>): Promise<void>;
  setSkill(skill: string | null): Promise<void>;
  setRule(rule: Rule): Promise<void>;

  /** Takes it out of the registry. Harmless when repeated. */
  unregister(): Promise<void>;
  /** Stops taking part here; it stays registered and can be attached again. Waiting calls fail. */
  disconnect(): void;
}
