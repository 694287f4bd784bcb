import {
  type ColloquyOperationName,
  type Envelope,
  type LedgerLine,
  NotFoundError,
} from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
import { readBody } from "../../delivery/read-body.js";
import { isBoundTo } from "../session.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireBound, requireMember } from "./scopes.js";

type DeliveryOperationName = Extract<
  ColloquyOperationName,
  "ledger" | "list_dead_letters" | "retry_dead_letter" | "drop_dead_letter"
>;

const byRecipient = (caller: Caller, raw: RawParams): void =>
  requireBound(caller, raw["recipient_id"]);

/** What became of envelopes: of one's own, and of those that were given up for oneself. */
export const deliveryOperations: Operations<DeliveryOperationName> = {
  ledger: {
    authorize: (caller: Caller, raw: RawParams) => requireMember(caller, raw["channel_id"]),
    async run(caller, { channel_id, envelope_id }) {
      const envelope = await requireEnvelope(caller, channel_id, envelope_id);
      const lines = shownLines(caller, envelope);
      if (lines === null) throw unknownEnvelope(channel_id, envelope_id);
      const { sender_id, created_at } = envelope;
      return { channel_id, envelope_id, sender_id, admitted_at: created_at, lines: [...lines] };
    },
    bulky: true,
  },
  list_dead_letters: {
    authorize: (caller, raw) => requireBound(caller, raw["agent_id"]),
    async run({ work }, { agent_id, as, channel_id, after, limit }) {
      const whose = as === "sender" ? { sender_id: agent_id } : { recipient_id: agent_id };
      const where = channel_id === null ? {} : { channel_id };
      const page = await work.hub.listDeadLetters({ ...whose, ...where, after, limit });
      return { dead_letters: [...page.dead_letters], next: page.next };
    },
    bulky: true,
  },
  retry_dead_letter: {
    authorize: byRecipient,
    run: ({ work }, letter) => work.hub.retryDeadLetter(letter),
  },
  drop_dead_letter: {
    authorize: byRecipient,
    async run({ work }, letter): Promise<null> {
      await work.hub.dropDeadLetter(letter);
      return null;
    },
  },
};

async function requireEnvelope(
  { work }: Caller,
  channelId: string,
  envelopeId: string,
): Promise<Envelope> {
  const stored = await work.context.store.readEnvelope(envelopeId);
  const envelope = stored?.channel_id === channelId ? readBody(stored) : null;
  if (envelope === null) throw unknownEnvelope(channelId, envelopeId);
  return envelope;
}

/** All lines for the sender, else those of who is bound here; null for whom it is not for. */
function shownLines({ work, session }: Caller, envelope: Envelope): readonly LedgerLine[] | null {
  const lines = work.hub.ledger(envelope.channel_id, envelope.envelope_id);
  if (isBoundTo(work, session, envelope.sender_id)) return lines;
  const own = lines.filter(({ recipient_id }) => isBoundTo(work, session, recipient_id));
  const isForAll = envelope.audience === null;
  const isNamed = envelope.audience?.some((agentId) => isBoundTo(work, session, agentId));
  return isForAll || isNamed === true ? own : null;
}

function unknownEnvelope(channelId: string, envelopeId: string): NotFoundError {
  return new NotFoundError(`envelope not found in channel '${channelId}': ${quote(envelopeId)}`);
}
