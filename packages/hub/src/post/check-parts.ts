import { type Envelope, inlineBytes, partsOf, TooLargeError } from "@colloquy/protocol";
import type { HubLimits } from "../core/hub-limits.js";

/** Refuses an envelope with more parts, or more data in them, than one may carry. */
export function checkParts(
  { maxParts, maxInlinePartBytes }: Pick<HubLimits, "maxParts" | "maxInlinePartBytes">,
  envelope: Pick<Envelope, "event_data">,
): void {
  if (envelope.event_data["parts"] === undefined) return;
  const parts = partsOf(envelope);
  if (parts.length > maxParts) {
    throw new TooLargeError(
      `the envelope has ${parts.length} parts, more than maxParts (${maxParts}); send them in several envelopes`,
      { details: { parts: parts.length, max_parts: maxParts } },
    );
  }
  const bytes = parts.reduce((sum, part) => sum + inlineBytes(part), 0);
  if (bytes <= maxInlinePartBytes) return;
  throw new TooLargeError(
    `the parts of the envelope carry ${bytes} bytes, more than maxInlinePartBytes (${maxInlinePartBytes}); put the data at an address and send its url`,
    { details: { bytes, max_bytes: maxInlinePartBytes } },
  );
}
