import type { ChannelAdapter, ChannelMetadata, Envelope } from "@colloquy/protocol";
import * as z from "zod";

/** A place in a channel's WAL, and when it was reached: position, epoch milliseconds. */
export const momentSchema = z.tuple([z.int().min(0), z.number()]);
/** See {@link momentSchema}. */
export type Moment = z.infer<typeof momentSchema>;

const byAgent = z.record(z.string(), momentSchema);

/**
 * What is kept of a channel for its expectations, as a snapshot has it. A part that no expectation
 * of the channel needs is left out.
 */
export const watchFactsSchema = z.strictObject({
  /** The newest content; null for none. */
  content: momentSchema.nullable().optional(),
  turn: z
    .strictObject({
      /** True once the channel has opened: turns count from there. */
      opened: z.boolean(),
      /** Whose turn it is since when; null for nobody's. */
      now: z
        .strictObject({
          agent_id: z.string(),
          triggering_envelope_id: z.string().nullable(),
          since: momentSchema,
        })
        .nullable(),
    })
    .optional(),
  replies: z
    .strictObject({
      /** The newest word to everybody; null for none. */
      broadcast: momentSchema.nullable(),
      /** Who has spoken since then, its sender included. */
      spoken: z.array(z.string()),
      /** The newest word to some, by each whom it names and who has not spoken since. */
      directed: byAgent,
    })
    .optional(),
  /** The newest content by sender. */
  speakers: byAgent.optional(),
});
/** See {@link watchFactsSchema}. */
export type WatchFacts = z.infer<typeof watchFactsSchema>;

/** An envelope that is durable, with the channel's state after it. */
export interface NotedEnvelope {
  readonly envelope: Envelope;
  readonly position: number;
  /** When it was stamped, in epoch milliseconds. */
  readonly at: number;
  readonly state: unknown;
}

/** The channel that a noted envelope is in. */
export interface WatchedChannel {
  readonly adapter: ChannelAdapter | null;
  readonly metadata: ChannelMetadata;
}

/** Keeps the facts by which a channel's expectations are judged, so that nobody reads its WAL for them. */
export interface ChannelWatch {
  /** Takes in the next durable envelope of its channel. */
  note(channel: WatchedChannel, noted: NotedEnvelope): void;
  /** Goes on from facts of a snapshot; false when a part that is needed is missing. */
  restore(facts: WatchFacts | undefined): boolean;
  toJSON(): WatchFacts;
}
