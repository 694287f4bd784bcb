import {
  type ChannelAdapter,
  type ChannelHead,
  type ChannelMetadata,
  channelAtStart,
  type Envelope,
  parseTimestamp,
  type Snapshot,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { ChannelWatch } from "../live/channel-watch.js";
import type { LiveChannel } from "../live/live-channel.js";
import { ChannelBrokenError } from "../live/live-channels.js";
import { newLiveChannel } from "../live/new-live-channel.js";
import { rememberEnvelope } from "../live/remember-envelope.js";
import { rendersSomething } from "../live/renders-something.js";
import { readSnapshot } from "../live/snapshot.js";
import { checkPayload } from "../wal/check-payload.js";
import { foldEnvelope } from "../wal/fold-envelope.js";
import { parseStored, storedEnvelopeSchema } from "../wal/parse-stored.js";
import { verifyStored } from "../wal/verify-chain.js";

/** What a channel is folded from. */
export interface FoldSource {
  readonly metadata: ChannelMetadata;
  readonly adapter: ChannelAdapter | null;
  readonly head: ChannelHead;
  readonly snapshot: Snapshot | null;
  /** `limits.rememberedEnvelopes`. */
  readonly remembered: number;
  /** Keeps the facts for its expectations; null when nothing is expected. */
  readonly watch: ChannelWatch | null;
}

/** A channel that is being rebuilt. */
export interface ChannelFold {
  /** Position after which envelopes are wanted. */
  readonly after: number;
  /** Checks and folds the envelopes that follow. Throws `ChannelBrokenError`. */
  add(envelopes: readonly StoredEnvelope[]): void;
  /** The channel as of its head; throws `ChannelBrokenError` when envelopes are missing. */
  finish(): LiveChannel;
}

/**
 * Begins to rebuild a channel from a snapshot, or from nothing. Only what goes through here is
 * folded: every envelope's place in the chain and its content are checked first.
 */
export function beginFold(source: FoldSource): ChannelFold {
  const { metadata, adapter, snapshot, head, remembered } = source;
  const live = startOf(source);
  const start = snapshot === null ? 0 : snapshot.position;
  let at: { position: number; hash: string; id?: string } = {
    position: start,
    hash: snapshot?.hash ?? "",
  };
  let state = live.state;

  const broken = (message: string, cause?: unknown): ChannelBrokenError =>
    new ChannelBrokenError(message, metadata, cause);
  const addOne = (stored: StoredEnvelope): void => {
    for (const finding of verifyStored(stored, at)) {
      throw broken(`position ${finding.position}: ${finding.message}`);
    }
    at = { position: stored.position, hash: stored.hash, id: stored.envelope_id };
    const envelope = checkStored(stored, broken);
    rememberEnvelope(live, envelope, {
      position: stored.position,
      digest: stored.content_digest,
      remembered,
    });
    if (adapter === null) return;
    try {
      state = foldEnvelope(adapter, state, envelope);
    } catch (error) {
      throw broken(`position ${stored.position} cannot be folded: ${reasonOf(error)}`, error);
    }
    if (rendersSomething(live, envelope)) live.tally.add(envelope);
    else live.tally.note(envelope);
    const { position } = stored;
    live.watch?.note(live, { envelope, position, at: stampedAt(envelope), state });
  };

  return {
    after: start,
    add(envelopes) {
      for (const stored of envelopes) addOne(stored);
    },
    finish() {
      if (at.position !== head.position || at.hash !== head.hash) {
        throw broken(
          `the WAL ends at position ${at.position}, where position ${head.position} was expected or the hash is another`,
        );
      }
      return Object.assign(live, {
        state,
        head,
        committed: head.position,
        durable: { metadata, state },
        snapshotAt: start,
        warm: start === 0 || head.position - start >= remembered,
      });
    },
  };
}

function startOf({ metadata, adapter, snapshot, watch }: FoldSource): LiveChannel {
  if (adapter === null) return newLiveChannel({ metadata, adapter: null, state: undefined });
  if (snapshot === null) {
    try {
      const state = adapter.initialState(channelAtStart(metadata));
      return newLiveChannel({ metadata, adapter, state, watch });
    } catch (error) {
      throw new ChannelBrokenError(
        `its first state cannot be made: ${reasonOf(error)}`,
        metadata,
        error,
      );
    }
  }
  const content = readSnapshot(snapshot);
  if (content === null) throw new ChannelBrokenError("its snapshot cannot be read", metadata);
  if (watch?.restore(content.watch) === false) {
    throw new ChannelBrokenError("its snapshot lacks facts for its expectations", metadata);
  }
  const { state, tally } = content;
  return { ...newLiveChannel({ metadata, adapter, state, watch }), tally };
}

/** When an envelope of the WAL was stamped, in epoch milliseconds. */
function stampedAt({ created_at }: Envelope): number {
  return parseTimestamp(created_at) ?? 0;
}

function checkStored(
  stored: StoredEnvelope,
  broken: (message: string, cause?: unknown) => ChannelBrokenError,
): Envelope {
  try {
    const envelope = parseStored(stored);
    const parsed = storedEnvelopeSchema.safeParse(envelope);
    if (!parsed.success) throw new Error(parsed.error.issues[0]?.message ?? "no envelope");
    checkPayload(envelope.event_type, envelope.event_data);
    return envelope;
  } catch (error) {
    throw broken(`position ${stored.position} cannot be read: ${reasonOf(error)}`, error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
