import type { ChannelAdapter, ChannelMetadata } from "@colloquy/protocol";
import { createCausationIndex } from "./causation-index.js";
import type { ChannelWatch } from "./channel-watch.js";
import { createIdempotencyIndex } from "./idempotency-index.js";
import type { LiveChannel } from "./live-channel.js";
import { memberSetsOf } from "./member-sets.js";
import { createSpeechTally } from "./speech-tally.js";

/** What a channel begins with. */
export interface ChannelStart {
  readonly metadata: ChannelMetadata;
  readonly adapter: ChannelAdapter | null;
  readonly state: unknown;
  /** Default: nothing is expected of it. */
  readonly watch?: ChannelWatch | null;
}

/** A channel without an envelope; nothing of it is stored. */
export function newLiveChannel({
  metadata,
  adapter,
  state,
  watch = null,
}: ChannelStart): LiveChannel {
  const { participants, addressed } = memberSetsOf(metadata);
  return {
    id: metadata.channel_id,
    metadata,
    adapter,
    state,
    head: { position: 0, row: 0, hash: "" },
    committed: 0,
    durable: { metadata, state },
    snapshotAt: 0,
    participants,
    addressed,
    idempotency: createIdempotencyIndex(),
    causation: createCausationIndex(),
    depthFloor: 0,
    waiting: null,
    tally: createSpeechTally(),
    watch,
    warm: true,
  };
}
