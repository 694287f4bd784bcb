import {
  type BareOperationName,
  CHANNEL_EVENT_PREFIX,
  type ColloquyOperationName,
  type Envelope,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  ProtocolError,
  visibleToMember,
} from "@colloquy/protocol";
import { isInviteAnswer } from "../../channels/handshake.js";
import { quote } from "../../core/quote.js";
import { isBoundTo } from "../session.js";
import { answerBytes } from "./answer-bytes.js";
import { concealEnvelope } from "./conceal.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireInvitedOrMember, requireMember, requireMembership } from "./scopes.js";

type WalOperationName =
  | Extract<BareOperationName, "post_envelope" | "read_wal" | "find_envelope_by_causation">
  | Extract<ColloquyOperationName, "post" | "read_page" | "search_text" | "would_accept">;

const byChannel = (caller: Caller, raw: RawParams): void | Promise<void> =>
  requireMember(caller, raw["channel_id"]);

/** A post is its sender's own, in a channel of its own. */
function bySender(caller: Caller, raw: RawParams): void | Promise<void> {
  const envelope: unknown = raw["envelope"];
  const isRecord = typeof envelope === "object" && envelope !== null;
  const field = (key: string): unknown => (isRecord ? Reflect.get(envelope, key) : undefined);
  const isAnswer = isInviteAnswer(String(field("event_type")));
  const require = isAnswer ? requireInvitedOrMember : requireMembership;
  return require(caller, field("channel_id"), field("sender_id"));
}

/** Members read the WAL, and of what is not for them only that it is there. */
export const walOperations: Operations<WalOperationName> = {
  post_envelope: {
    authorize: bySender,
    run({ work }, { envelope }) {
      requireOwnEvent(envelope);
      return work.hub.postEnvelope(envelope);
    },
  },
  post: {
    authorize: bySender,
    run({ work }, { envelope }) {
      requireOwnEvent(envelope);
      return work.hub.post(envelope).then((posted) => ({ ...posted, notes: [...posted.notes] }));
    },
  },
  would_accept: {
    authorize: bySender,
    run({ work }, { envelope }) {
      requireOwnEvent(envelope);
      return work.hub.wouldAccept(envelope);
    },
  },
  read_wal: {
    authorize: byChannel,
    async run(caller, { channel_id, since, until }) {
      const isVisible = await sightOf(caller, channel_id);
      const show = (envelope: Envelope, position: number): Envelope =>
        isVisible(envelope, position) ? envelope : concealEnvelope(envelope);
      const reading = { maxBytes: answerBytes(caller), show };
      return [...(await caller.work.hub.readWal(channel_id, since, until, reading))];
    },
    bulky: true,
  },
  read_page: {
    authorize: byChannel,
    async run(caller, { channel_id, after, last, limit }) {
      const range = { after, limit, ...(last === null ? {} : { last }) };
      const isVisible = await sightOf(caller, channel_id);
      const page = await caller.work.hub.readPage(channel_id, range);
      const shown = page.envelopes.map((envelope, index) =>
        isVisible(envelope, page.positions[index] ?? 0),
      );
      return {
        envelopes: page.envelopes.filter((_, index) => shown[index]),
        positions: page.positions.filter((_, index) => shown[index]),
        next: page.next,
        head: page.head,
      };
    },
    bulky: true,
  },
  search_text: {
    authorize: (caller, raw) => requireMembership(caller, raw["channel_id"], raw["agent_id"]),
    async run(caller, { channel_id, agent_id, query, after, before, order, limit }) {
      const isVisible = await sightOf(caller, channel_id, [agent_id]);
      const found = await caller.work.hub.searchText(channel_id, query, {
        after,
        ...(before === null ? {} : { before }),
        order,
        limit,
        isVisible,
      });
      return { ...found, envelopes: [...found.envelopes], positions: [...found.positions] };
    },
    bulky: true,
  },
  find_envelope_by_causation: {
    authorize: byChannel,
    async run(caller, { channel_id, sender_id, causation_id }) {
      const { hub, context } = caller.work;
      const found = await hub.findEnvelopeByCausation(channel_id, sender_id, causation_id);
      if (found === null) return null;
      const isVisible = await sightOf(caller, channel_id);
      const stored = await context.store.readEnvelope(found.envelope_id);
      return isVisible(found, stored?.position ?? 0) ? found : null;
    },
    bulky: true,
  },
};

/** Of the events of a channel's life only the two answers to an invitation are a participant's own. */
function requireOwnEvent({ event_type }: Envelope): void {
  if (!event_type.startsWith(CHANNEL_EVENT_PREFIX)) return;
  if (event_type === EV_CHANNEL_INVITE_ACK || event_type === EV_CHANNEL_INVITE_REJECT) return;
  throw new ProtocolError(`${quote(event_type)} is emitted only by the hub`);
}

/** What members may see of a channel, together; default: all that are bound here. */
async function sightOf(
  { work, session }: Caller,
  channelId: string,
  agentIds?: readonly string[],
): Promise<(envelope: Envelope, position: number) => boolean> {
  const { participants } = await work.hub.getChannel(channelId);
  const members = participants.filter(({ agent_id }) =>
    agentIds === undefined ? isBoundTo(work, session, agent_id) : agentIds.includes(agent_id),
  );
  return (envelope, position) =>
    members.some((member) => visibleToMember(envelope, position, member));
}
