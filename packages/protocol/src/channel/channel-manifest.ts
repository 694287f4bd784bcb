import * as z from "zod";

/** A promise about a channel that the hub watches, and what it does when it is broken. */
export const expectationSchema = z.strictObject({
  name: z.string().min(1),
  on_violation: z.string().min(1),
  params: z.record(z.string(), z.unknown()).default({}),
  applies_to: z.array(z.string()).nullable().default(null),
});
/** See {@link expectationSchema}. */
export type Expectation = z.infer<typeof expectationSchema>;

/** How many participants a channel type takes, and in which roles. */
export const participantBoundsSchema = z.strictObject({
  min: z.int().min(1),
  max: z.int().min(1).nullable().default(null),
  roles: z.array(z.string()).default([]),
});
/** See {@link participantBoundsSchema}. */
export type ParticipantBounds = z.infer<typeof participantBoundsSchema>;

/** What a channel type declares about itself. A channel keeps the copy that it was opened with. */
export const channelManifestSchema = z.strictObject({
  type: z.string().min(1),
  version: z.int().min(1).default(1),
  participants: participantBoundsSchema.default({ min: 2, max: null, roles: [] }),
  /** Knob name to a hint for people; the adapter's schema is what counts. */
  knobs_schema: z.record(z.string(), z.unknown()).default({}),
  /** Name of the default view, for information. */
  default_view_policy: z.string().default("full_transcript"),
  expectations: z.array(expectationSchema).default([]),
});
/** See {@link channelManifestSchema}. */
export type ChannelManifest = z.infer<typeof channelManifestSchema>;
