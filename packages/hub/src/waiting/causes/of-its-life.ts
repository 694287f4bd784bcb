import { type ChannelMetadata, parseTimestamp } from "@colloquy/protocol";
import type { WaitingFacts } from "../facts.js";
import { inBrackets, listNames } from "../sentence.js";
import { about, type Finding, type Rule } from "./finding.js";
import { earliest, nextForAll } from "./next-step.js";

/** Every invitee must accept, and some have not answered. */
export const inviteeSilent: Rule = (facts) => {
  const { metadata, silent } = facts;
  if (metadata?.state !== "pending" || metadata.required_acks !== null) return null;
  const rest = ` for ${listNames(silent)} to accept the invitation`;
  return opening(facts, metadata, { cause: "invitee_silent", rest });
};

/** Some invitees must accept, and too few have. */
export const quorumShort: Rule = (facts) => {
  const { metadata, silent, neededAcks } = facts;
  if (metadata?.state !== "pending") return null;
  const { participants, rejected_by, pending_acks } = metadata;
  const accepted = participants.length - 1 - rejected_by.length - pending_acks.length;
  const missing = Math.max(0, neededAcks - accepted);
  const count = `${accepted} of the ${neededAcks} acceptances needed are there`;
  const rest = ` for ${missing} of ${listNames(silent)} to accept the invitation; ${count}`;
  return opening(facts, metadata, { cause: "quorum_short", rest });
};

/** It winds up: what was said before may still be dealt with. */
export const closing: Rule = (facts, reasons) => {
  const { metadata, unsettled, closingTimeoutMs } = facts;
  if (metadata?.state !== "closing") return null;
  const until = parseTimestamp(metadata.wind_up?.until ?? "");
  const who = unsettled.length === 0 ? "nobody" : listNames(unsettled);
  const why = inBrackets(metadata.close_reason, reasons);
  return {
    cause: "closing",
    lead: "The channel has been closing",
    rest: `${why} and waits for ${who} to deal with what was said before`,
    awaited: unsettled,
    since: until === null ? null : until - closingTimeoutMs,
    next: earliest(
      until === null ? null : { what: "it closes in any case", at: until },
      nextForAll(facts),
    ),
  };
};

/** Nobody can say whose turn it is. */
export const typeUnusable: Rule = (facts, reasons) => {
  const { metadata, active } = facts;
  const fault = active?.typeFault ?? null;
  if (metadata === null || fault === null) return null;
  const { type, version } = metadata.manifest;
  const text = `The channel's type '${type}' version ${version} cannot say whose turn it is`;
  return about("type_unusable", `${text}${inBrackets(fault, reasons)}`, nextForAll(facts));
};

function opening(
  facts: WaitingFacts,
  metadata: ChannelMetadata,
  { cause, rest }: Pick<Finding, "cause" | "rest">,
): Finding {
  const { inviteAckTimeoutMs, silent } = facts;
  const since = parseTimestamp(metadata.created_at) ?? 0;
  const lapse = { what: "the opening fails", at: since + inviteAckTimeoutMs };
  const next = earliest(lapse, nextForAll(facts));
  return { cause, lead: "Waiting", rest, awaited: silent, since, next };
}
