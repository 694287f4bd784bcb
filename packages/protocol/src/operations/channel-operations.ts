import * as z from "zod";
import { channelMetadataSchema } from "../channel/channel-metadata.js";
import { pendingTurnSchema } from "../turn/pending-turn.js";
import { jsonObject, limitParam, nothing, nullableParam, optionalParam } from "./optional-param.js";

const byChannel = z.object({ channel_id: z.string() });

/** Operations on channels and on whose turn it is. */
export const channelOperations = {
  /** Opens a channel; answers when it is active, or has failed to become so. */
  create_channel: {
    params: z.object({
      creator_id: z.string(),
      manifest_type: z.string(),
      manifest_version: optionalParam(z.int(), 1),
      participants: z.array(z.string()),
      /** How many invitees must accept; null means all. */
      required_acks: nullableParam(z.int()),
      /** Life of the channel: seconds, or text such as `2h`; null takes the creator's rule. */
      ttl: nullableParam(z.union([z.string(), z.int()])),
      knobs: nullableParam(jsonObject),
      intent: nullableParam(z.string()),
      labels: nullableParam(z.record(z.string(), z.string())),
      /** Channel in whose course this one is opened; the creator must take part in it. Colloquy's hubs only. */
      parent_channel_id: nullableParam(z.string()),
    }),
    result: channelMetadataSchema,
  },
  get_channel: { params: byChannel, result: channelMetadataSchema },
  /** Channels in order of creation, closed ones included. */
  list_channels: {
    params: z.object({ agent_id: nullableParam(z.string()), limit: limitParam }),
    result: z.array(channelMetadataSchema),
  },
  /** Closes a channel; one that is closed already is given back as it is. */
  close_channel: {
    params: byChannel.extend({ reason: optionalParam(z.string(), "") }),
    result: channelMetadataSchema,
  },
  /** Whether the channel's contract would accept an envelope of this type from the sender now. */
  can_send: {
    params: byChannel.extend({ sender_id: z.string(), event_type: nullableParam(z.string()) }),
    result: z.boolean(),
  },
  /** Turns that the participant owes, over all channels. */
  pending_turns_for: {
    params: z.object({ agent_id: z.string() }),
    result: z.array(pendingTurnSchema),
  },
  /** Tells the hub that a turn has failed for good. */
  report_turn_failure: {
    params: byChannel.extend({
      agent_id: z.string(),
      envelope_id: z.string(),
      error: optionalParam(z.string(), ""),
    }),
    result: nothing,
  },
};
