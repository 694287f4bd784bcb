import type {
  ChannelMetadata,
  ContentPartInput,
  Envelope,
  EnvelopeDraft,
} from "@colloquy/protocol";
import type { ParticipantClient } from "../agent/participant-client.js";
import type { EnvelopePredicate } from "../inbox/envelope-queue.js";

/** Hears envelopes as they come. */
export type EnvelopeCallback = (envelope: Envelope) => void | Promise<void>;

/** A message on its way: not sent yet, or failed. Once the hub has admitted it, it is gone from here. */
export interface OutgoingMessage {
  readonly draft: EnvelopeDraft;
  /** `waiting` until the hub answers; `failed` when it will not be sent any more. */
  readonly state: "waiting" | "failed";
  /** Why it failed; null while it waits. */
  readonly error: Error | null;
}

/** How a person's text differs from one to everybody. */
export interface TextOptions {
  /** Ids of those who may see it; absent: everybody. */
  readonly audience?: readonly string[] | undefined;
  /** Pictures, sounds and documents that go with the text; each has `base64_data` or `url`. */
  readonly parts?: readonly ContentPartInput[] | undefined;
  /** Envelope that it answers. */
  readonly causationId?: string | undefined;
  /** Key of an earlier attempt, to try the same message again without doubling it. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * A person, or a program that stands for one. Nothing is answered by itself except invitations.
 *
 * Envelopes can be pushed (`onEnvelope`), pulled one by one (`nextEnvelope`) or streamed
 * (`envelopes`); pull and stream share one queue. It is bounded: when it is full the oldest is left
 * out and counted in `missed`. Callbacks are called in order and not waited for, so one that throws
 * or never ends hurts no other.
 */
export interface HumanClient extends ParticipantClient {
  /** Adds a callback; returns a function that takes it away. */
  onEnvelope(callback: EnvelopeCallback): () => void;
  /**
   * The next envelope that meets the predicate; those before it are left out. Rejects with
   * `client/timed_out`, or `client/disconnected` once stopped.
   *
   * @param timeoutMs - default: no limit
   */
  nextEnvelope(predicate?: EnvelopePredicate, timeoutMs?: number): Promise<Envelope>;
  /** Everything that comes, until the participant stops. */
  envelopes(): AsyncIterableIterator<Envelope>;
  /** Envelopes that were left out because nobody read them. */
  readonly missed: number;

  /** Says something in a channel; resolves with the envelope's id once the hub has admitted it. */
  say(channelId: string, text: string, options?: TextOptions): Promise<string>;
  /** Messages that are not sent yet or have failed, oldest first; at most 100 failed ones are kept. */
  readonly outgoing: readonly OutgoingMessage[];
  /** Calls a listener after each change of {@link HumanClient.outgoing}; returns a function that ends it. */
  onOutgoing(listener: (messages: readonly OutgoingMessage[]) => void): () => void;
  /** Takes a failed message out of {@link HumanClient.outgoing}; false when there is none with the key. */
  discardOutgoing(idempotencyKey: string): boolean;
  /** Closes a channel for everybody; reason `human_closed` by default. */
  closeChannel(channelId: string, reason?: string): Promise<ChannelMetadata>;

  /** Accepts an invitation, where that is not done by itself. */
  acceptInvite(invite: Envelope): Promise<void>;
  /** Declines an invitation; the channel does not open. */
  rejectInvite(invite: Envelope, reason?: string): Promise<void>;
  /** Settles an envelope, where receipts are given by hand. False when it is not outstanding. */
  acknowledge(envelopeId: string): boolean;
}
