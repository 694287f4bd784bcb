import { isDeepStrictEqual } from "node:util";
import { readSnapshot } from "@colloquy/hub";
import {
  type ChannelAdapter,
  type ChannelMetadata,
  channelAtStart,
  type Envelope,
  foldMembership,
  type Snapshot,
  type Store,
} from "@colloquy/protocol";
import { eachOfChannel } from "../data/read-pages.js";
import { CliError } from "../errors/cli-error.js";
import { endsChannel } from "../verify/turn-check.js";
import { readBody } from "../wal/read-body.js";

/** What a replay gives. */
export interface Replayed {
  /** The position of the last envelope that was folded; 0 for none. */
  readonly position: number;
  readonly state: unknown;
  /** The channel with the members that it had there. */
  readonly channel: ChannelMetadata;
  /** What was folded, oldest first. */
  readonly envelopes: readonly Envelope[];
  /** The hub's snapshot within the stretch, and whether the fold agrees; null when there is none. */
  readonly snapshot: { readonly position: number; readonly matches: boolean } | null;
}

/** What is folded. */
export interface ReplayInput {
  readonly store: Store;
  readonly channel: ChannelMetadata;
  readonly adapter: ChannelAdapter;
  /** The last position to fold. */
  readonly upTo: number;
}

/**
 * Folds the WAL of a channel from its first envelope. Reads only: nothing is posted, delivered,
 * scheduled or written.
 *
 * @throws CliError when an envelope cannot be read or folded
 */
export async function foldTo({ store, channel, adapter, upTo }: ReplayInput): Promise<Replayed> {
  const channelId = channel.channel_id;
  const stored = await store.readSnapshot(channelId);
  const envelopes: Envelope[] = [];
  let members = channelAtStart(channel);
  let state = adapter.initialState(members);
  let position = 0;
  let snapshot: Replayed["snapshot"] = null;
  for await (const next of eachOfChannel(store, channelId, { upTo })) {
    const envelope = readBody(next);
    if (envelope === null) throw unfoldable(next.position, "its body is no envelope");
    state = foldOne(adapter, state, envelope, next.position);
    members = foldMembership(members, envelope);
    envelopes.push(envelope);
    position = next.position;
    if (position === stored?.position) {
      snapshot = { position, matches: sameState(stored, state) };
    }
  }
  return { position, state, channel: members, envelopes, snapshot };
}

function foldOne(
  adapter: ChannelAdapter,
  state: unknown,
  envelope: Envelope,
  position: number,
): unknown {
  try {
    return adapter.fold(state, envelope);
  } catch (cause) {
    // As in the hub: no fault may keep a channel from ending.
    if (endsChannel(envelope.event_type)) return state;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw unfoldable(position, why, cause);
  }
}

function sameState(snapshot: Snapshot, state: unknown): boolean {
  const content = readSnapshot(snapshot);
  return content !== null && isDeepStrictEqual(content.state, JSON.parse(JSON.stringify(state)));
}

function unfoldable(position: number, why: string, cause?: unknown): CliError {
  return new CliError(`the channel cannot be folded past position ${position - 1}: ${why}.`, {
    cause,
    remedy: `\`colloquy wal verify\` shows what is broken; --at ${position - 1} replays what stands before.`,
  });
}
