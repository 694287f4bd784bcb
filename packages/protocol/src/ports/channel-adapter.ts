import type * as z from "zod";
import type { ChannelManifest } from "../channel/channel-manifest.js";
import type { ChannelMetadata } from "../channel/channel-metadata.js";
import type { Envelope, EnvelopeDraft } from "../envelope/envelope.js";
import type { MembershipChange } from "../membership/membership.js";
import type { Content, ContentPartInput } from "../message/content-part.js";
import type { Handoff } from "../tool/routing-result.js";
import type { Tool } from "../tool/tool.js";
import type { Round } from "../turn/round.js";
import type { ViewSpec } from "./view-policy.js";

/** What follows from an accepted envelope: `close` ends the channel with that reason. */
export interface Accepted {
  readonly close?: string;
}

/** Whose turn it is, and the envelope that made it so. */
export interface ExpectedTurn {
  readonly agent_id: string;
  readonly triggering_envelope_id: string | null;
}

/** What a turn lets a tool do, and no more. A tool gets this port, never a client. */
export interface TurnPort {
  /** The channel of the turn; null outside a turn. */
  readonly channelId: string | null;
  readonly agentId: string;
  /** Posts on behalf of the agent; resolves with the envelope's id once it is durable. */
  post(draft: EnvelopeDraft): Promise<string>;
  /** The id behind a name, or null. */
  resolveName(name: string): Promise<string | null>;
}

/** Input of {@link ChannelAdapter.textEnvelope}. */
export interface TextDraft {
  readonly channelId: string;
  readonly senderId: string;
  readonly text: string;
  readonly parts?: readonly ContentPartInput[] | undefined;
  readonly audience?: string[] | null | undefined;
  readonly causationId?: string | null | undefined;
}

/** Input of {@link ChannelAdapter.packetEnvelope}. */
export interface PacketDraft {
  readonly channelId: string;
  readonly senderId: string;
  readonly body: string;
  readonly parts?: readonly ContentPartInput[] | undefined;
  readonly handoff?: Handoff | undefined;
  readonly contextSet?: Readonly<Record<string, unknown>> | undefined;
  readonly audience?: string[] | null | undefined;
  readonly causationId?: string | null | undefined;
}

/** What {@link ChannelAdapter.prepareSend} may look at. */
export interface SendContext {
  /** The id of a registered agent by name, or null. */
  resolveName(name: string): string | null;
}

/** An envelope's payload made ready for the append, and what its sender should be told. */
export interface PreparedSend {
  readonly event_data: Readonly<Record<string, unknown>>;
  /** Sentences for the sender; empty when nothing was changed. */
  readonly notes: readonly string[];
}

/** Lets participants of a channel type come and go. */
export interface MembershipRules<S> {
  /**
   * Throws `ProtocolError` to refuse a change. Sees the state before it. Bounds of the manifest are
   * the hub's to hold: it refuses a further member beyond the most, and closes a channel in which
   * fewer than the least may speak.
   */
  validate(channel: ChannelMetadata, change: MembershipChange, state: S): void;
}

/** How the rounds of a channel type decide who speaks next. */
export interface RoutingRules<S> {
  /** Names of the tools that hand the floor on by being called. */
  toolsOf(state: S): readonly string[];
}

/**
 * The protocol of one channel type. One object serves every channel of its type and version.
 *
 * Every method is pure and synchronous: same arguments, same result; no clock, randomness, I/O or
 * hub. Rules that the conformance kit proves:
 * - R1: `fold` is total for every envelope that passed the hub's payload check, and deterministic.
 * - R2: `fold` never changes the state that it is given; it may return the very same object.
 * - R3: states and knobs are plain JSON, so that a snapshot can be written and read back.
 * - R4: protocol events (a channel's life, tasks) pass `validateSend` and leave the turn alone.
 * - R5: refusals are `ProtocolError`s; anything else thrown is a fault of the adapter.
 * - R6: `initialState` works for every channel that `validateCreate` accepts.
 */
export interface ChannelAdapter<S = unknown> {
  /** Type, version, bounds, default view and expectations. */
  readonly manifest: ChannelManifest;
  /** Checked at open; a channel keeps the parsed knobs. Unknown knobs are refused by the schema. */
  readonly knobs: z.ZodType<Record<string, unknown>>;
  /** Throws `ProtocolError` when such a channel cannot be. Called after the knobs were parsed. */
  validateCreate(channel: ChannelMetadata): void;
  /** State before the first envelope. */
  initialState(channel: ChannelMetadata): S;
  /**
   * Called at the hub before `validateSend`: resolves names in a payload to ids and takes out what
   * cannot be. Absent when payloads need none of it.
   */
  prepareSend?(channel: ChannelMetadata, envelope: Envelope, context: SendContext): PreparedSend;
  /** Throws `ProtocolError` to refuse. Sees the state before the envelope. */
  validateSend(channel: ChannelMetadata, envelope: Envelope, state: S): void;
  /** State after the envelope. Live and replay use the same call. */
  fold(state: S, envelope: Envelope): S;
  /** What follows. Sees the state after the envelope. */
  onAccepted(channel: ChannelMetadata, envelope: Envelope, state: S): Accepted;
  /**
   * Allows participants to be invited, to leave, to be removed and to be hidden; the type's `fold`
   * then takes note of the events of their coming and going. Absent: participants stay as they were
   * at the opening.
   */
  readonly membership?: MembershipRules<S>;
  /**
   * True where the turn may stay with whoever has just spoken. A client then looks after each of its
   * answers whether it has the turn again, since nobody is sent what it has said itself. Default: false.
   */
  readonly mayKeepTurn?: boolean;
  /** Whose turn it is; null where nobody is awaited. */
  expectedNext(channel: ChannelMetadata, state: S): ExpectedTurn | null;
  /**
   * Who takes the turn of the participant that is expected now and lets it pass; null when nobody
   * can. Absent where a turn cannot go to another. The hub then appends `EV_TURN_REASSIGNED` with
   * `from` and `to`, whose fold makes `to` the one expected, with that envelope as its trigger.
   */
  reassign?(channel: ChannelMetadata, state: S, agentId: string): string | null;
  /**
   * Present where a round's `Handoff` or `Finish` decides who speaks next. Absent, a client refuses
   * them, so that the model answers in words.
   */
  readonly routing?: RoutingRules<S>;
  /** Tools for one participant's turn. */
  toolsFor(
    turn: TurnPort,
    channel: ChannelMetadata,
    state: S,
    participantId: string,
  ): readonly Tool[];
  /** The view that a participant's model gets unless a knob says otherwise. */
  defaultView(channel: ChannelMetadata, participantId: string): ViewSpec;
  /** What an envelope shows in a view; null for nothing. */
  renderEnvelope(envelope: Envelope): Content | null;
  /** What an envelope gives a turn to answer when the view shows nothing of it; null for nothing. */
  turnInput(envelope: Envelope): Content | null;
  /** A text as this channel type wants it. */
  textEnvelope(draft: TextDraft): EnvelopeDraft;
  /** A packet as this channel type wants it. */
  packetEnvelope(draft: PacketDraft): EnvelopeDraft;
  /** The envelope that ends a model round; null for none. */
  roundEnvelope(round: Round<S>): EnvelopeDraft | null;
}
