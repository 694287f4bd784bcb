import type { ChannelAdapter } from "@colloquy/protocol";
import { type SealedContent, sealContent } from "../append/seal-content.js";
import type { HubContext } from "../context/hub-context.js";
import { callAdapter } from "../core/adapter-fault.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { Incoming } from "./read-incoming.js";

/** A content as it goes into the WAL, and what its sender should know of the change. */
export interface PreparedContent {
  readonly content: SealedContent;
  readonly notes: readonly string[];
}

const NO_NOTES: readonly string[] = [];

/** Lets the adapter resolve what an envelope's content names. */
export function prepareContent(
  { agents, logger }: Pick<HubContext, "agents" | "logger">,
  { live, adapter }: { readonly live: LiveChannel; readonly adapter: ChannelAdapter },
  { envelope, content }: Incoming,
): PreparedContent {
  if (adapter.prepareSend === undefined) return { content, notes: NO_NOTES };
  const call = { logger, channelId: live.id, method: "prepareSend" };
  const prepared = callAdapter(call, () =>
    adapter.prepareSend?.(live.metadata, envelope, { resolveName: (name) => agents.idOf(name) }),
  );
  if (prepared === undefined || prepared.event_data === content.value) {
    return { content, notes: prepared?.notes ?? NO_NOTES };
  }
  return {
    content: sealContent(prepared.event_data, "envelope.event_data"),
    notes: prepared.notes,
  };
}
