import type { WaitingCause } from "@colloquy/protocol";
import type { AwaitedFacts, Named } from "../facts.js";
import { inBrackets, listNames, oneOrMore } from "../sentence.js";
import type { Finding, Rule } from "./finding.js";
import { earliest, nextForAll } from "./next-step.js";

/** A cause that lies with those who are awaited. */
interface TurnCause {
  readonly cause: WaitingCause;
  holds(awaited: AwaitedFacts): boolean;
  /** What the sentence says of them, after their names. */
  say(who: readonly Named[], reason: string): string;
  /** Epoch milliseconds; default: since when it is awaited. */
  since?(awaited: AwaitedFacts): number;
}

const stands =
  (state: NonNullable<AwaitedFacts["standing"]>["state"]) =>
  ({ standing }: AwaitedFacts): boolean =>
    standing?.state === state;

const ofStanding = ({ standing, since }: AwaitedFacts): number => standing?.since ?? since;

/** Makes the rule of a cause: it holds for those of whom it does, since the first of them. */
function ruleFor({ cause, holds, say, since = (awaited) => awaited.since }: TurnCause): Rule {
  return (facts, reasons) => {
    const found = facts.active?.awaited.filter(holds) ?? [];
    const [first] = found;
    if (first === undefined) return null;
    const reason = inBrackets(first.standing?.reason ?? "", reasons);
    let next = nextForAll(facts);
    for (const { standing } of found) {
      const at = standing?.retryAt ?? null;
      if (at !== null) next = earliest(next, { what: "it is sent again", at });
    }
    return {
      cause,
      lead: "Waiting",
      rest: ` for ${listNames(found)}${say(found, reason)}`,
      awaited: found.map(({ agent_id, name }) => ({ agent_id, name })),
      since: Math.min(...found.map(since)),
      next,
    };
  };
}

const is = (who: readonly Named[]): string => oneOrMore(who, "is", "are");
const has = (who: readonly Named[]): string => oneOrMore(who, "has", "have");

/** It has unregistered. */
export const agentGone: Rule = ruleFor({
  cause: "agent_gone",
  holds: ({ isRegistered }) => !isRegistered,
  say: (who) => `, who ${is(who)} registered no more`,
});

/** What it is to answer was given up for it. */
export const deadLetter: Rule = ruleFor({
  cause: "dead_letter",
  holds: stands("dead"),
  say: (_who, reason) => `, for whom the envelope was given up${reason}`,
  since: ofStanding,
});

/** It was never to get what it is to answer. */
export const deliveryRefused: Rule = ruleFor({
  cause: "delivery_refused",
  holds: stands("refused"),
  say: (_who, reason) => `, from whom a rule keeps the envelope${reason}`,
  since: ofStanding,
});

/** It has reported that its turn failed. */
export const turnFailed: Rule = ruleFor({
  cause: "turn_failed",
  holds: stands("failed"),
  say: (_who, reason) => `, whose turn has failed${reason}`,
  since: ofStanding,
});

/** It has refused the envelope, which comes again later. */
export const redelivery: Rule = ruleFor({
  cause: "redelivery",
  holds: stands("delayed"),
  say: (who, reason) => `, who ${has(who)} given the envelope back${reason}`,
  since: ofStanding,
});

/** It has no connection. */
export const agentOffline: Rule = ruleFor({
  cause: "agent_offline",
  holds: ({ isOnline }) => !isOnline,
  say: (who) => `, who ${is(who)} offline`,
});

/** Members take nothing in, so that what the one expected would say is refused. */
export const inboxFull: Rule = (facts) => {
  const { active } = facts;
  const full = active?.fullInboxes ?? [];
  if (active === null || full.length === 0) return null;
  const counts = [...new Set(full.map(({ pending }) => pending))].sort((a, b) => a - b);
  const many = counts.length === 1 ? `${counts[0]}` : `${counts[0]} to ${counts.at(-1)}`;
  const whose = oneOrMore(full, "whose inbox is full", "whose inboxes are full");
  const finding: Finding = {
    cause: "inbox_full",
    lead: "Waiting",
    rest: ` for ${listNames(full)}, ${whose} (${many} outstanding): what is said is refused`,
    awaited: full.map(({ agent_id, name }) => ({ agent_id, name })),
    since: active.awaited[0]?.since ?? null,
    next: nextForAll(facts),
  };
  return finding;
};

/** Its connection has no room, or it has not asked for what it missed. */
export const notDelivered: Rule = ruleFor({
  cause: "not_delivered",
  holds: stands("unsent"),
  say: (who) => `, who ${is(who)} connected and ${has(who)} not been handed the envelope`,
});

/** A person takes as long as a person takes. */
export const humanAwaited: Rule = ruleFor({
  cause: "human_awaited",
  holds: ({ kind }) => kind === "human",
  say: (who) => `, ${oneOrMore(who, "a person", "people")}, to answer`,
});

/** It is at work. */
export const turnTakenUp: Rule = ruleFor({
  cause: "turn_taken_up",
  holds: stands("taken_up"),
  say: (who) => `, who ${has(who)} taken the turn up and not answered`,
  since: ofStanding,
});

/** It has the envelope, or has dealt with it in silence. */
export const turnExpected: Rule = ruleFor({
  cause: "turn_expected",
  holds: () => true,
  say: (who) => ` to answer, who ${has(who)} not taken the turn up`,
});
