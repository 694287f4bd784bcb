import * as protocol from "@colloquy/protocol";
import * as z from "zod";

/** How far an auction has come. */
export interface AuctionState {
  /** Bidders who have not passed, in the order of the channel. */
  readonly bidders: readonly string[];
  /** Who is to speak; null once the auction is over. */
  readonly next: string | null;
  /** The highest bid; before the first one what the lot starts at. */
  readonly price: number;
  readonly leader: string | null;
  readonly last_envelope_id: string | null;
}

/** What is sold, and the price that a first bid must beat. */
const knobs = z.strictObject({ lot: z.string().min(1), start: z.int().min(0) });

/**
 * `auction`: the creator presents a lot, then the others bid in turn. A text that is a whole number
 * is a bid and must beat the price; any other text passes for good. When nobody is left to outbid
 * the leader the channel closes, with reason `sold` or `unsold`.
 */
export function createAuctionAdapter(): protocol.ChannelAdapter<AuctionState> {
  return {
    manifest: protocol.channelManifestSchema.parse({ type: "auction" }),
    knobs,
    validateCreate(channel) {
      const { success } = knobs.safeParse(channel.knobs);
      const sells = channel.participants.some(({ agent_id }) => agent_id === channel.creator_id);
      if (success && sells && channel.participants.length >= 2) return;
      throw refusal("an auction needs a seller, a bidder, and the knobs lot and start");
    },
    initialState: (channel) => ({
      bidders: protocol.participantOrder(channel).filter((id) => id !== channel.creator_id),
      next: channel.creator_id,
      price: knobs.parse(channel.knobs).start,
      leader: null,
      last_envelope_id: null,
    }),
    validateSend(_channel, envelope, { next, price }) {
      if (envelope.event_type !== protocol.EV_TEXT) return;
      if (envelope.sender_id !== next) throw refusal(`the auction waits for '${next}'`);
      const bid = bidIn(envelope) ?? Number.POSITIVE_INFINITY;
      if (bid <= price) throw refusal(`a bid must beat ${price}; say anything else to pass`);
    },
    fold(state, envelope) {
      const { sender_id: speaker, envelope_id, event_type } = envelope;
      if (event_type !== protocol.EV_TEXT || speaker !== state.next) return state;
      const at = state.bidders.indexOf(speaker);
      const bid = at < 0 ? null : bidIn(envelope);
      const isBid = bid !== null && bid > state.price;
      const { leader, price } = isBid ? { leader: speaker, price: bid } : state;
      const bidders = isBid ? state.bidders : state.bidders.filter((id) => id !== speaker);
      const circle = [...state.bidders.slice(at + 1), ...state.bidders.slice(0, Math.max(at, 0))];
      const next = circle.find((id) => id !== leader) ?? null;
      return { bidders, next, price, leader, last_envelope_id: envelope_id };
    },
    onAccepted(_channel, { event_type }, { next, leader }) {
      if (event_type !== protocol.EV_TEXT || next !== null) return {};
      return { close: leader === null ? "unsold" : "sold" };
    },
    expectedNext: (_channel, { next, last_envelope_id: last }) =>
      next === null ? null : { agent_id: next, triggering_envelope_id: last },
    toolsFor: () => [],
    defaultView: () => ({ name: "named_transcript", args: {} }),
    renderEnvelope: shownText,
    turnInput: (envelope) => shownText(envelope) ?? "pass",
    textEnvelope,
    packetEnvelope: ({ body, ...draft }) => textEnvelope({ ...draft, text: body }),
    roundEnvelope: ({ body, trigger, ...round }) =>
      textEnvelope({ ...round, text: body, causationId: trigger?.envelope_id }),
  };
}

function textEnvelope(draft: protocol.TextDraft): protocol.EnvelopeDraft {
  return {
    channel_id: draft.channelId,
    sender_id: draft.senderId,
    audience: draft.audience ?? null,
    event_type: protocol.EV_TEXT,
    event_data: { text: draft.text },
    causation_id: draft.causationId ?? null,
  };
}

function shownText({ event_type, event_data }: protocol.Envelope): string | null {
  const text = event_type === protocol.EV_TEXT ? String(event_data["text"] ?? "") : "";
  return protocol.showsSomething(text) ? text : null;
}

function bidIn(envelope: protocol.Envelope): number | null {
  const text = shownText(envelope)?.trim() ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function refusal(message: string): protocol.ProtocolError {
  return new protocol.ProtocolError(message);
}
