import type {
  ChannelManifest,
  ChannelMetadata,
  Envelope,
  NetworkError,
  Passport,
  Resume,
  Rule,
  TaskMetadata,
} from "@colloquy/protocol";

/** A registered agent as a gate sees it; an `AgentEntry` of the registry is one. */
export interface Party {
  readonly id: string;
  readonly passport: Passport;
  readonly resume: Resume;
  readonly rule: Rule;
}

/** A gate's "no". `error` is what the refused side gets; default `AccessDeniedError(reason)`. */
export interface Denial {
  readonly allow: false;
  readonly reason: string;
  readonly error?: (reason: string) => NetworkError;
}

/** A gate's answer. */
export type Verdict = { readonly allow: true } | Denial;

/** The answer "yes". */
export const ALLOW: { readonly allow: true } = { allow: true };

/** The answer "those are nobody". */
export const NOBODY: AudienceVerdict = { allow: true, audience: [] };

/** Input of {@link Arbiter.authorizeSend}. */
export interface SendRequest {
  readonly envelope: Envelope;
  readonly sender: Party;
  /** Registered members of an explicit audience, without the sender; empty for a broadcast. */
  readonly recipients: readonly Party[];
}

/** Input of {@link Arbiter.authorizeRate}. */
export interface RateRequest {
  readonly envelope: Envelope;
  readonly sender: Party;
  /**
   * Envelopes of the sender that count against its `limits.rate` at this instant, with the part of
   * one that time has not made up for yet; 0 when its rule sets no rate.
   */
  readonly used: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Input of {@link Arbiter.resolveUnknownAudience}. */
export interface UnknownAudienceRequest {
  readonly envelope: Envelope;
  readonly sender: Party;
  /** Ids of the audience that no registered agent and no member of the channel has, each once. */
  readonly unknown: readonly string[];
  readonly channel: ChannelMetadata;
}

/** Whom ids stand for that nobody has; ids that are no members of the channel are left out. */
export type AudienceVerdict =
  | { readonly allow: true; readonly audience: readonly string[] }
  | Denial;

/** Input of {@link Arbiter.authorizeInbox}. */
export interface InboxRequest {
  readonly envelope: Envelope;
  readonly recipient: Party;
  /** Substantive envelopes outstanding for the recipient. */
  readonly pending: number;
}

/** Input of {@link Arbiter.authorizeDispatch}. */
export interface DispatchRequest {
  readonly envelope: Envelope;
  readonly sender: Party;
  readonly recipient: Party;
}

/** Input of {@link Arbiter.authorizeChannelOpen}. */
export interface OpenRequest {
  readonly manifest: ChannelManifest;
  readonly creator: Party;
  readonly invitees: readonly Party[];
  /** Channels of this creator that have not ended. */
  readonly openChannels: number;
}

/** Input of {@link Arbiter.authorizeTask}. */
export interface TaskRequest {
  readonly task: TaskMetadata;
  readonly owner: Party;
  /** Tasks of the owner that have not ended. */
  readonly openTasks: number;
}

/** Input of {@link Arbiter.authorizeRegister}. The passport's claim has been taken out. */
export interface RegisterRequest {
  readonly passport: Passport;
  readonly resume: Resume;
  readonly rule: Rule;
}

/** Input of {@link Arbiter.authorizeMembership}. */
export interface MembershipRequest {
  readonly kind: "invite" | "remove" | "hide" | "show";
  readonly channel: ChannelMetadata;
  /** The member that asks. */
  readonly by: Party;
  /** Whom it is about; null for one that is registered no longer. */
  readonly subject: Party | null;
}

/**
 * Decides before anything is done. Gates are synchronous and pure in their arguments, because a dry
 * run asks them too; a throw counts as a refusal and is logged.
 *
 * Order at a post: unknown audience, send (outbound, then depth), rate, and, once the channel's state
 * allows it, one inbox gate per recipient; all of them or nobody.
 */
export interface Arbiter {
  authorizeRegister(request: RegisterRequest): Verdict;
  authorizeChannelOpen(request: OpenRequest): Verdict;
  /** Asked for every envelope of a participant, and for the invitations of a channel. */
  authorizeSend(request: SendRequest): Verdict;
  /** Asked for every envelope of a participant but its answers to invitations. */
  authorizeRate(request: RateRequest): Verdict;
  /** Asked when an audience names ids that nobody has. */
  resolveUnknownAudience(request: UnknownAudienceRequest): AudienceVerdict;
  /** Asked for every recipient of what is not an event of the channel's or a task's life. */
  authorizeInbox(request: InboxRequest): Verdict;
  /** Refusal skips this recipient silently; the envelope stays in the WAL. */
  authorizeDispatch(request: DispatchRequest): Verdict;
  /** Whether a member may change who takes part. Default: the channel's creator may, nobody else. */
  authorizeMembership?(request: MembershipRequest): Verdict;
  /** Asked when a task of a registered owner is first observed that has not ended. */
  authorizeTask(request: TaskRequest): Verdict;
}

/** Name of a gate, as refusals carry it. */
export type Gate = keyof Arbiter;
