import { EV_CHANNEL_INVITE_ACK, EV_CHANNEL_INVITE_REJECT } from "@colloquy/protocol";
import type { RefusalFacts } from "./refusal.js";

const MAX_FACT_LENGTH = 256;
const MAX_TARGET_LENGTH = 80;

/** What an envelope says of itself beside its content, whatever shape it has. */
export function envelopeFacts(envelope: unknown): RefusalFacts {
  const event_type = text(envelope, "event_type");
  const isAnswer = event_type === EV_CHANNEL_INVITE_ACK || event_type === EV_CHANNEL_INVITE_REJECT;
  return known({
    what: isAnswer ? ("invite" as const) : ("post" as const),
    agent_id: text(envelope, "sender_id"),
    channel_id: text(envelope, "channel_id"),
    event_type,
    idempotency_key: text(envelope, "idempotency_key"),
    causation_id: text(envelope, "causation_id"),
    envelope_id: text(envelope, "envelope_id"),
  });
}

/** What a request for a channel says. */
export function openFacts(input: unknown): RefusalFacts {
  return known({
    what: "open" as const,
    agent_id: text(input, "creator_id"),
    target: targetOf(text(input, "manifest_type")),
    channel_id: text(input, "parent_channel_id"),
  });
}

/** What a registration says, without the claim. */
export function registrationFacts(input: unknown): RefusalFacts {
  const passport =
    typeof input === "object" && input !== null ? Reflect.get(input, "passport") : {};
  return known({ what: "registration" as const, name: targetOf(text(passport, "name")) });
}

/** A text from outside as a record keeps it. */
export function targetOf(given: string | undefined): string | undefined {
  return given?.slice(0, MAX_TARGET_LENGTH);
}

/** A field that is a text, and not an empty one. */
function text(holder: unknown, key: string): string | undefined {
  if (typeof holder !== "object" || holder === null) return undefined;
  const value: unknown = Reflect.get(holder, key);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_FACT_LENGTH) : undefined;
}

function known(facts: RefusalFacts): RefusalFacts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as RefusalFacts;
}
