import * as z from "zod";
import { type Content, type ContentPart, contentPartSchema } from "../message/content-part.js";
import { faultOfPart } from "../message/media-part.js";
import { partShowsSomething, showsSomething } from "../message/shows-something.js";
import type { Envelope } from "./envelope.js";

/**
 * `parts` of a text or a packet: what goes with its text. Each has its data or the address of it, and
 * not both.
 */
export const envelopePartsSchema = z.array(
  contentPartSchema.superRefine((part, context) => {
    const fault = faultOfPart(part);
    if (fault !== null)
      context.addIssue({ code: "custom", path: [fault.field], message: fault.remedy });
  }),
);

/**
 * The parts in an envelope's payload; none where there are none, or where they have not the agreed
 * shape, as in a log from elsewhere.
 */
export function partsOf(envelope: Pick<Envelope, "event_data">): ContentPart[] {
  const { parts } = envelope.event_data;
  if (parts === undefined || parts === null) return [];
  const parsed = z.array(contentPartSchema).safeParse(parts);
  return parsed.success ? parsed.data : [];
}

/**
 * All that a text or a packet says: its text alone where nothing else has anything to show, otherwise
 * the text and then the parts. Null for nothing.
 *
 * @param text - the text of the envelope, as its channel type reads it
 */
export function withParts(
  text: string | null,
  envelope: Pick<Envelope, "event_data">,
): Content | null {
  const parts = partsOf(envelope).filter(partShowsSomething);
  const shown = showsSomething(text) ? (text as string) : null;
  if (parts.length === 0) return shown;
  return shown === null ? parts : [{ type: "text", text: shown }, ...parts];
}
