import { type ChannelMetadata, explainIssue, ProtocolError } from "@colloquy/protocol";
import type * as z from "zod";

/**
 * Checks a channel's knobs against the schema of its type.
 *
 * The hub has parsed them already; this makes `validateCreate` hold on its own, for metadata that
 * comes from elsewhere.
 *
 * @throws ProtocolError that names the knob, the kind received and the remedy; details as
 *   `InvalidInputError` has them
 */
export function checkKnobs<K>(schema: z.ZodType<K>, channel: ChannelMetadata): K {
  const result = schema.safeParse(channel.knobs);
  if (result.success) return result.data;
  const subject = `knobs of a ${channel.manifest.type} channel`;
  const { message, details } = explainIssue(result.error.issues, channel.knobs, subject);
  throw new ProtocolError(message, { details: details ?? undefined });
}
