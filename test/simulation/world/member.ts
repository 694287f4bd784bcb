import type { AgentClient, HumanClient, ScriptLine, Turn } from "@colloquy/client";
import type { Envelope, RuleInput } from "@colloquy/protocol";

/** What is decided about a member before there is one. */
export interface MemberPlan {
  readonly name: string;
  readonly kind: "agent" | "human";
  readonly rule: RuleInput;
  /** A person who gives receipts by hand, whenever it likes. */
  readonly isTardy: boolean;
}

/** Somebody who takes part, over all lives of the client process. */
export interface Member extends MemberPlan {
  /** Empty before the first registration. */
  agentId: string;
  /** The client that takes part now; null while the process is down or the member stays away. */
  client: AgentClient | HumanClient | null;
  /** Stays away until it is told to come back. */
  isAway: boolean;
  /** Has unregistered. */
  isGone: boolean;
  /** What a tardy person has not acknowledged. */
  readonly unread: Set<string>;
  /** What an agent does with a turn. */
  takeTurn(turn: Turn): Promise<ScriptLine>;
  /** What a person does with an invitation. */
  getInvited(invite: Envelope): void;
}

/** What a member decides: an agent about a turn, a person about an invitation. */
export type Part = (member: Member, on: Turn | Envelope) => Promise<ScriptLine>;

/** Makes a {@link Member} that has not joined. */
export function createMember(plan: MemberPlan, play: Part): Member {
  const member: Member = {
    ...plan,
    agentId: "",
    client: null,
    isAway: false,
    isGone: false,
    unread: new Set(),
    takeTurn: (turn) => play(member, turn),
    getInvited: (invite) => void play(member, invite),
  };
  return member;
}

/** The member's client, if it is one of an agent. */
export function agentOf(member: Member): AgentClient | null {
  return member.kind === "agent" ? (member.client as AgentClient | null) : null;
}

/** The member's client, if it is one of a person. */
export function humanOf(member: Member): HumanClient | null {
  return member.kind === "human" ? (member.client as HumanClient | null) : null;
}
