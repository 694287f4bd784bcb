import type { ChannelMetadata, ViewSpec } from "@colloquy/protocol";

/** The view of a channel of many: with names, and two rounds of everybody, at least four lines. */
export function defaultNamedWindow(channel: ChannelMetadata): ViewSpec {
  const recent = Math.max(2 * channel.participants.length, 4);
  return { name: "named_windowed_summary", args: { recent_n: recent } };
}
