import { TooLargeError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";

/** Refuses a reason beyond `maxEnvelopeBytes`: it becomes part of an envelope, and may be part of the metadata. */
export function requireShort({ limits }: Pick<CoreContext, "limits">, reason: string): void {
  const bytes = Buffer.byteLength(reason);
  const max = limits.maxEnvelopeBytes;
  if (bytes <= max) return;
  throw new TooLargeError(`the reason has ${bytes} bytes, more than maxEnvelopeBytes (${max})`, {
    details: { bytes, max_bytes: max },
  });
}
