import { EV_CHANNEL_INVITE, HUB_EVENTS } from "@colloquy/protocol";
import type { JournalLine } from "../../checker/journal/journal.js";
import type { TrueEnvelope, Truth } from "../world/truth.js";
import { require } from "../world/violation.js";
import type { World } from "../world/world.js";

/** What has arrived where, over the whole run. */
export interface Arrivals {
  /** Holds what is new against the disk. */
  check(world: World): void;
  hasSeen(recipientId: string, envelopeId: string): boolean;
  readonly firsts: number;
  readonly repeats: number;
}

/** Makes {@link Arrivals}. */
export function createArrivals(): Arrivals {
  const seen = new Set<string>();
  const newest = new Map<string, number>();
  const ids = new Map<string, string>();
  let repeats = 0;

  const posted = (truth: Truth, line: Extract<JournalLine, { kind: "posted" }>): void => {
    const { envelope_id, channel_id, sender_id, position, idempotency_key } = line;
    const found = truth.byId.get(envelope_id);
    require(found !== undefined, () => `the acknowledged post ${envelope_id} is not on the disk`);
    const { envelope } = found;
    const isSame =
      envelope.channel_id === channel_id &&
      envelope.sender_id === sender_id &&
      found.position === position &&
      envelope.idempotency_key === idempotency_key;
    require(isSame, () => `the acknowledged post ${envelope_id} stands there as another`);
    const name = JSON.stringify([channel_id, sender_id, idempotency_key]);
    const first = ids.get(name) ?? envelope_id;
    ids.set(name, first);
    require(first === envelope_id, () => `${name} was acknowledged as ${first} and ${envelope_id}`);
  };
  const delivered = (truth: Truth, line: Extract<JournalLine, { kind: "delivered" }>): void => {
    const { envelope_id, recipient_id, position } = line;
    const found = truth.byId.get(envelope_id);
    require(found !== undefined, () => `${envelope_id} was delivered and is not on the disk`);
    require(found.position === position, () => `${envelope_id} was delivered at ${position}`);
    require(isAddressedTo(found, recipient_id), () =>
      `${envelope_id} was delivered to ${recipient_id}, for whom it is not`);
    const name = `${recipient_id} ${envelope_id}`;
    if (seen.has(name)) {
      repeats += 1;
      return;
    }
    seen.add(name);
    const place = `${recipient_id} ${found.channel.id}`;
    const before = newest.get(place) ?? 0;
    newest.set(place, found.position);
    require(found.position > before, () =>
      `${recipient_id} saw ${found.position} of ${found.channel.id} behind ${before}`);
  };
  return {
    check({ fresh, truth }) {
      for (const { line } of fresh.splice(0)) {
        if (line.kind === "posted") posted(truth, line);
        if (line.kind === "delivered") delivered(truth, line);
      }
    },
    hasSeen: (recipientId, envelopeId) => seen.has(`${recipientId} ${envelopeId}`),
    get firsts() {
      return seen.size;
    },
    get repeats() {
      return repeats;
    },
  };
}

/**
 * True if an envelope is sent to somebody: it is named, or takes part at that moment and is spoken to.
 * Nobody gets what it has said itself.
 */
export function isAddressedTo({ envelope, members }: TrueEnvelope, agentId: string): boolean {
  const { event_type, sender_id, audience } = envelope;
  if (event_type.startsWith(`${EV_CHANNEL_INVITE}.`)) return false;
  const isOwn = sender_id === agentId && (audience === null || !HUB_EVENTS.has(event_type));
  if (isOwn) return false;
  const isSpokenTo = members.some(({ agent_id, hidden }) => agent_id === agentId && !hidden);
  return audience?.includes(agentId) ?? isSpokenTo;
}
