import { formatTimestamp, type Waiting } from "@colloquy/protocol";
import type { Finding, Rule } from "./causes/finding.js";
import {
  agentGone,
  agentOffline,
  deadLetter,
  deliveryRefused,
  humanAwaited,
  inboxFull,
  notDelivered,
  redelivery,
  turnExpected,
  turnFailed,
  turnTakenUp,
} from "./causes/of-a-turn.js";
import { closing, inviteeSilent, quorumShort, typeUnusable } from "./causes/of-its-life.js";
import { expectationPending, nobodyExpected } from "./causes/of-nobody.js";
import {
  committing,
  ended,
  hubDraining,
  notFound,
  quarantined,
  storeFailing,
} from "./causes/of-the-hub.js";
import type { WaitingFacts } from "./facts.js";
import { toSentence } from "./sentence.js";

/** The causes in the order in which they count: the first that holds is the answer. */
const RULES: readonly Rule[] = [
  notFound,
  ended,
  hubDraining,
  quarantined,
  storeFailing,
  committing,
  inviteeSilent,
  quorumShort,
  closing,
  typeUnusable,
  agentGone,
  deadLetter,
  deliveryRefused,
  turnFailed,
  redelivery,
  agentOffline,
  inboxFull,
  notDelivered,
  humanAwaited,
  turnTakenUp,
  turnExpected,
  expectationPending,
];

/**
 * Says what a channel waits for. Pure: same facts, same answer.
 *
 * @param options - `reasons`: whether the sentence tells what agents, the store or a fault have said,
 *   which is not for everybody's eyes
 */
export function explain(facts: WaitingFacts, { reasons }: { readonly reasons: boolean }): Waiting {
  for (const rule of RULES) {
    const found = rule(facts, reasons);
    if (found !== null) return toWaiting(facts, found);
  }
  return toWaiting(facts, nobodyExpected(facts));
}

function toWaiting(
  { channelId }: WaitingFacts,
  { cause, lead, rest, awaited, since, next }: Finding,
): Waiting {
  return {
    channel_id: channelId,
    sentence: toSentence({ lead, rest }, since, next),
    cause,
    awaited: awaited.map(({ agent_id, name }) => ({ agent_id, name })),
    since: since === null ? null : formatTimestamp(since),
    next: next === null ? null : { what: next.what, at: formatTimestamp(next.at) },
  };
}
