import { type Envelope, showsSomething } from "@colloquy/protocol";
import type { LiveChannel } from "./live-channel.js";

/** True if a view could show something of an envelope. An adapter that fails to render shows nothing. */
export function rendersSomething(
  { adapter }: Pick<LiveChannel, "adapter">,
  envelope: Envelope,
): boolean {
  try {
    return adapter !== null && showsSomething(adapter.renderEnvelope(envelope));
  } catch {
    return false;
  }
}
