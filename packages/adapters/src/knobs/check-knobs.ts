import {
  type ChannelMetadata,
  expectationsOf,
  explainIssue,
  ProtocolError,
} from "@colloquy/protocol";
import type * as z from "zod";
import { checkViewKnob } from "./view-knob.js";

/**
 * Checks a channel's knobs: against the schema of its type, and against its members.
 *
 * The hub has parsed them already; this makes `validateCreate` hold on its own, for metadata that
 * comes from elsewhere.
 *
 * @throws ProtocolError that names the knob, the kind received and the remedy; details as
 *   `InvalidInputError` has them
 */
export function checkKnobs(schema: z.ZodType, channel: ChannelMetadata): void {
  const result = schema.safeParse(channel.knobs);
  if (!result.success) throw refusal(result.error.issues, channel);
  checkViewKnob(channel);
  expectationsOf(channel);
}

function refusal(issues: readonly z.core.$ZodIssue[], channel: ChannelMetadata): ProtocolError {
  const subject = `knobs of a ${channel.manifest.type} channel`;
  const { message, details } = explainIssue(issues, channel.knobs, subject);
  return new ProtocolError(message, { details: details ?? undefined });
}
