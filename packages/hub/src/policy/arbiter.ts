import type {
  ChannelManifest,
  ChannelMetadata,
  Envelope,
  NetworkError,
  Passport,
  Resume,
  Rule,
} from "@colloquy/protocol";

/** A registered agent as a gate sees it; an `AgentEntry` of the registry is one. */
export interface Party {
  readonly id: string;
  readonly passport: Passport;
  readonly resume: Resume;
  readonly rule: Rule;
}

/** A gate's answer. `error` is what the refused side gets; default `AccessDeniedError(reason)`. */
export type Verdict =
  | { readonly allow: true }
  | {
      readonly allow: false;
      readonly reason: string;
      readonly error?: (reason: string) => NetworkError;
    };

/** The answer "yes". */
export const ALLOW: Verdict = { allow: true };

/** Input of {@link Arbiter.authorizeSend}. */
export interface SendRequest {
  readonly envelope: Envelope;
  readonly sender: Party;
  /** Registered members of an explicit audience, without the sender; empty for a broadcast. */
  readonly recipients: readonly Party[];
}

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
 * Decides before anything is done. Gates are synchronous and pure in their arguments; a throw
 * counts as a refusal and is logged. Order at a post: send, then one inbox gate per recipient.
 */
export interface Arbiter {
  authorizeRegister(request: RegisterRequest): Verdict;
  authorizeChannelOpen(request: OpenRequest): Verdict;
  authorizeSend(request: SendRequest): Verdict;
  authorizeInbox(request: InboxRequest): Verdict;
  /** Refusal skips this recipient silently; the envelope stays in the WAL. */
  authorizeDispatch(request: DispatchRequest): Verdict;
  /** Whether a member may change who takes part. Default: the channel's creator may, nobody else. */
  authorizeMembership?(request: MembershipRequest): Verdict;
}
