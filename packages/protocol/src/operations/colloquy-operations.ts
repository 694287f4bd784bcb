import * as z from "zod";
import { channelMetadataSchema } from "../channel/channel-metadata.js";
import { waitingSchema } from "../channel/waiting.js";
import { envelopeSchema } from "../envelope/envelope.js";
import { trackRecordSchema } from "../registry/resume.js";
import { MAX_SEARCH_LENGTH } from "../storage/text-search.js";
import { acceptanceSchema } from "./acceptance.js";
import { accessOperations } from "./access-operations.js";
import { deliveryOperations } from "./delivery-operations.js";
import { inboxViewSchema } from "./inbox-view.js";
import { jsonObject, limitParam, nullableParam, optionalParam } from "./optional-param.js";

/** Most envelopes that one page of `read_page` may hold. */
export const MAX_PAGE_SIZE = 1000;

/** How many envelopes a page of `read_page` holds when the caller does not say. */
export const DEFAULT_PAGE_SIZE = 200;

/** How many hits a page of `search_text` holds when the caller does not say. */
export const DEFAULT_SEARCH_SIZE = 20;

/** Place of an envelope in its channel, from 1; 0 stands before the first. */
const position = z.int().min(0);
const byChannel = z.object({ channel_id: z.string() });

const onParticipant = byChannel.extend({
  /** The member that asks. */
  by: z.string(),
  agent_id: z.string(),
  reason: optionalParam(z.string(), ""),
});

/** Operations that only `colloquy.v1` has. */
export const colloquyOperations = {
  /** Posts an envelope and tells what became of it; a repeat gives the first result with `duplicate` true. */
  post: {
    params: z.object({ envelope: envelopeSchema }),
    result: z.object({
      envelope_id: z.string(),
      position,
      created_at: z.string(),
      duplicate: z.boolean(),
      /** Remarks for the sender, such as a hand-off target that is no participant. */
      notes: z.array(z.string()),
    }),
  },
  /**
   * Reads envelopes with position > `after`, oldest first. `last` starts so many before the end instead.
   * `next` is the `after` of the following page, null at the end; `head` is the last position of the channel.
   */
  read_page: {
    params: byChannel.extend({
      after: optionalParam(position, 0),
      last: nullableParam(z.int().min(0)),
      limit: optionalParam(z.int().min(1).max(MAX_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    }),
    result: z.object({
      envelopes: z.array(envelopeSchema),
      /** Position of each envelope, in the same order. */
      positions: z.array(position),
      next: position.nullable(),
      head: position,
    }),
  },
  /**
   * Envelopes that say some words, in any case, as far as a member that is bound here may see them;
   * none of the characters is special. `after` and `before` are positions. `next` is the `after` of the following
   * page, or its `before` when the newest come first; null at the end. A page may be short, or empty,
   * and still lead on.
   */
  search_text: {
    params: byChannel.extend({
      /** The member that asks. */
      agent_id: z.string(),
      query: z.string().min(1).max(MAX_SEARCH_LENGTH),
      after: optionalParam(position, 0),
      before: nullableParam(position),
      order: optionalParam(z.enum(["oldest", "newest"]), "oldest"),
      limit: optionalParam(z.int().min(1).max(MAX_PAGE_SIZE), DEFAULT_SEARCH_SIZE),
    }),
    result: z.object({
      envelopes: z.array(envelopeSchema),
      /** Position of each envelope, in the same order. */
      positions: z.array(position),
      next: position.nullable(),
    }),
  },
  /** Invites somebody into an open channel; answers once the invitation is durable. */
  invite_participant: {
    params: byChannel.extend({ by: z.string(), agent_id: z.string() }),
    result: channelMetadataSchema,
  },
  /** Leaves a channel, or declines an invitation into an open one. */
  leave_channel: {
    params: byChannel.extend({ agent_id: z.string(), reason: optionalParam(z.string(), "") }),
    result: channelMetadataSchema,
  },
  /** Takes a participant out of a channel, or takes back its invitation. */
  remove_participant: { params: onParticipant, result: channelMetadataSchema },
  /** Keeps a participant in a channel that is addressed no longer and may not speak. */
  hide_participant: { params: onParticipant, result: channelMetadataSchema },
  /** Ends that. */
  show_participant: { params: onParticipant, result: channelMetadataSchema },
  /** Closes a channel once what is under way has ended, or its time is up; answers when that has begun. */
  drain_channel: {
    params: byChannel.extend({ reason: optionalParam(z.string(), "") }),
    result: channelMetadataSchema,
  },
  /** Folded state of a channel, and the position up to which it is folded. */
  get_state: { params: byChannel, result: z.object({ state: z.unknown(), position }) },
  /** Everything that a participant needs to take a turn, in one answer. */
  prepare_turn: {
    params: byChannel.extend({
      agent_id: z.string(),
      /** The envelope that triggers the turn. */
      envelope_id: z.string(),
      /** How many envelopes before the trigger to give; null means all. */
      last: nullableParam(z.int().min(0)),
    }),
    result: z.object({
      metadata: channelMetadataSchema,
      state: z.unknown(),
      /** Position of the trigger. */
      position,
      /** Envelope by which the participant has answered the trigger already, or null. */
      answered: z.string().nullable(),
      can_send: z.boolean(),
      /** Envelopes before the trigger that the participant may see, oldest first. */
      envelopes: z.array(envelopeSchema),
      /** How many visible envelopes lie before those given, and who sent them (ids, each once). */
      left_out: z.object({ count: z.int().min(0), senders: z.array(z.string()) }),
      /** Id to name, for every participant and sender in the answer. */
      names: z.record(z.string(), z.string()),
    }),
  },
  /** Name to id; null for a name that nobody has. */
  resolve_names: {
    params: z.object({ names: z.array(z.string()) }),
    result: z.record(z.string(), z.string().nullable()),
  },
  /** What the hub has seen of a participant, by capability, beside what it claims. */
  get_track_record: {
    params: z.object({ agent_id: z.string() }),
    result: z.record(z.string(), trackRecordSchema),
  },
  /** Dry run of `post`: what it would answer now. Uses nothing of a rate and leaves no trace. */
  would_accept: { params: z.object({ envelope: envelopeSchema }), result: acceptanceSchema },
  /** What waits for an agent that is bound here. `limit` bounds the channels that are listed. */
  get_inbox: {
    params: z.object({ agent_id: z.string(), limit: limitParam }),
    result: inboxViewSchema,
  },
  /**
   * Gives up what waits for an agent that is bound here, in one channel or in all; each envelope
   * becomes a dead letter for it. Answers when that is durable.
   */
  empty_inbox: {
    params: z.object({
      agent_id: z.string(),
      channel_id: nullableParam(z.string()),
      reason: optionalParam(z.string().max(500), ""),
    }),
    result: z.object({ dropped: z.int().min(0) }),
  },
  /** Why nothing moves in a channel: who is awaited, since when, and what happens next. */
  why_waiting: { params: byChannel, result: waitingSchema },
  /** Figures on the state of the hub. */
  health: { params: z.object({}), result: jsonObject },
  ...accessOperations,
  ...deliveryOperations,
};
