import { describeKind } from "@colloquy/protocol";
import * as z from "zod";
import { partKindsSchema } from "../lines/shown-parts.js";

/** Arguments of the transcripts. */
export const transcriptArgsSchema = z.strictObject({
  /** Kinds of parts to show, such as `["image"]`; notes stand in the place of others. Default: all. */
  parts: partKindsSchema.optional(),
});
/** See {@link transcriptArgsSchema}. */
export type TranscriptArgs = z.infer<typeof transcriptArgsSchema>;

/** Arguments of the windowed views. */
export const windowArgsSchema = z.strictObject({
  /** How many of the newest lines to show, at least 1. Blank lines do not count. */
  recent_n: z.int().min(1),
  /** Kinds of parts to show, such as `["image"]`; notes stand in the place of others. Default: all. */
  parts: partKindsSchema.optional(),
});
/** See {@link windowArgsSchema}. */
export type WindowArgs = z.infer<typeof windowArgsSchema>;

/**
 * Returns `recent_n` when a window can have that size.
 *
 * @throws TypeError when it is no whole number, RangeError when it is below 1
 */
export function checkRecentN({ recent_n }: WindowArgs): number {
  if (!Number.isSafeInteger(recent_n)) {
    throw new TypeError(
      `recent_n must be a whole number of lines, received ${describeKind(recent_n)}`,
    );
  }
  if (recent_n < 1) throw new RangeError(`recent_n must be at least 1 line, received ${recent_n}`);
  return recent_n;
}
