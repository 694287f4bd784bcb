import { readSnapshot } from "@colloquy/hub";
import { channelAtStart, type RecoveredChannel, type Store } from "@colloquy/protocol";
import type { ChannelTypes } from "../channels/channel-types.js";
import { shortId } from "../data/short-id.js";
import { countOf } from "../output/format-values.js";
import { endsChannel } from "../verify/turn-check.js";
import { readBody } from "../wal/read-body.js";
import { type Check, fail, ok, warn } from "./check.js";

/** Channels that are named one by one. */
const MAX_NAMED = 5;

/** Checks that every channel which is not closed can be read and folded, as a start would. */
export async function checkChannels(store: Store, types: ChannelTypes): Promise<Check[]> {
  const recovery = await store.recover();
  const broken: string[] = [];
  const unknown = new Set<string>();
  let open = 0;
  for await (const channel of recovery.channels) {
    open += 1;
    if (!("tail" in channel)) {
      broken.push(`${shortId(channel.channel_id)}: ${channel.reason}`);
      continue;
    }
    const { type, version } = channel.channel.manifest;
    if (types.of(channel.channel) === null) unknown.add(`${type} version ${version}`);
    const fault = foldFault(channel, types);
    if (fault !== null) broken.push(`${shortId(channel.channel.channel_id)}: ${fault}`);
  }
  const checks = [reportBroken(open, broken)];
  if (unknown.size > 0) {
    const names = [...unknown].sort().join(", ");
    const message = `channels of types that are not built in: ${names}`;
    checks.push(warn("channel types", message, "A hub without these types leaves them unused."));
  }
  return checks;
}

function reportBroken(open: number, broken: readonly string[]): Check {
  if (broken.length === 0) return ok("channels", `${countOf(open, "open channel")}, none broken`);
  const named = broken.slice(0, MAX_NAMED).join("; ");
  const more = broken.length > MAX_NAMED ? `; and ${broken.length - MAX_NAMED} more` : "";
  return fail(
    "channels",
    `${broken.length} of ${open} cannot be used: ${named}${more}`,
    "`colloquy wal verify` shows where; the hub leaves them out and serves the others.",
  );
}

/** Why a channel cannot be folded; null when it can, or when its type is not known. */
function foldFault(
  { channel, snapshot, tail }: RecoveredChannel,
  types: ChannelTypes,
): string | null {
  const adapter = types.of(channel);
  const content = snapshot === null ? null : readSnapshot(snapshot);
  if (adapter === null || (snapshot !== null && content === null)) return null;
  let state = content === null ? adapter.initialState(channelAtStart(channel)) : content.state;
  for (const stored of tail) {
    const envelope = readBody(stored);
    if (envelope === null) return `position ${stored.position} holds no envelope`;
    try {
      state = adapter.fold(state, envelope);
    } catch (error) {
      if (endsChannel(envelope.event_type)) continue;
      const why = error instanceof Error ? error.message : String(error);
      return `it cannot be folded past position ${stored.position - 1}: ${why}`;
    }
  }
  return null;
}
