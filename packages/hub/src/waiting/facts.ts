import type { ChannelMetadata } from "@colloquy/protocol";
import type { Standing } from "../delivery/envelope-standing.js";
import type { NextExpectation } from "../expectations/next-expectation.js";

/** A participant by id and by the name that people know it by. */
export interface Named {
  readonly agent_id: string;
  readonly name: string;
}

/** Somebody whose turn it is, or who has not dealt with what it was sent. */
export interface AwaitedFacts extends Named {
  /** False for one that has unregistered. */
  readonly isRegistered: boolean;
  readonly kind: "agent" | "human" | "remote_agent";
  /** True while it is bound to a connection, or to the proxy of its scheme. */
  readonly isOnline: boolean;
  /** Epoch milliseconds since when it is awaited. */
  readonly since: number;
  /** The envelope that it is to answer; null when there is none or nothing is known of it. */
  readonly standing: Standing | null;
}

/** What is known of an active channel. */
export interface ActiveFacts {
  /** Why the channel's type cannot say whose turn it is; null when it can. */
  readonly typeFault: string | null;
  /** True when the type names the one whose turn it is, who is then the only one in `awaited`. */
  readonly isExpected: boolean;
  readonly awaited: readonly AwaitedFacts[];
  /** Members, other than the one expected, who take nothing in for the time being. */
  readonly fullInboxes: readonly (Named & { readonly pending: number })[];
}

/** All that the explanation is made from, read at one instant. */
export interface WaitingFacts {
  readonly channelId: string;
  /** As of what is durable; null for an unknown channel, or when it could not be read. */
  readonly metadata: ChannelMetadata | null;
  readonly hub: "running" | "draining" | "closed";
  /** Why the newest commit, or a read for this explanation, failed; null when the store works. */
  readonly storeFault: string | null;
  /** Why the channel is out of use; null when it is not. */
  readonly quarantine: string | null;
  /** Envelopes of the channel that are on their way into the store. */
  readonly uncommitted: number;
  readonly inviteAckTimeoutMs: number;
  readonly closingTimeoutMs: number;
  /** Those who were invited and have not answered, while the channel opens. */
  readonly silent: readonly Named[];
  /** How many invitees must accept. */
  readonly neededAcks: number;
  /** While the channel winds up: who has something of it outstanding. */
  readonly unsettled: readonly Named[];
  /** What is violated next in an open channel; null for nothing. */
  readonly expectation: NextExpectation | null;
  /** Who will have broken `expectation`; empty when it is about the channel as a whole. */
  readonly violators: readonly Named[];
  /** Null unless the channel is active and readable. */
  readonly active: ActiveFacts | null;
}
