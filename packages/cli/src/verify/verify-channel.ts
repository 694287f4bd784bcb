import { isDeepStrictEqual } from "node:util";
import { readSnapshot, verifyChain } from "@colloquy/hub";
import {
  type ChannelMetadata,
  isTerminalState,
  type Snapshot,
  type Store,
  type StoredEnvelope,
  StoreError,
} from "@colloquy/protocol";
import type { ChannelTypes } from "../channels/channel-types.js";
import { eachOfChannel } from "../data/read-pages.js";
import type { Finding } from "./finding.js";
import { at, createLinkCheck, ofChannel } from "./link-check.js";
import { createTurnCheck, endsChannel, type TurnCheck } from "./turn-check.js";

/** What is verified, and who is told how far it has come. */
export interface ChannelVerification {
  readonly store: Store;
  readonly types: ChannelTypes;
  readonly channel: ChannelMetadata;
  /** Called for every envelope that was read. */
  onEnvelope(stored: StoredEnvelope): void;
}

/**
 * Verifies one channel: chain, positions, ids, digests, pointers, payloads, senders, turns, its
 * snapshot and its end. Works while a hub writes: it goes to the end that the channel had when it
 * began. A channel that cannot be read gives a finding.
 */
export async function* verifyChannel(
  verification: ChannelVerification,
): AsyncGenerator<Finding, void, undefined> {
  const { store, channel } = verification;
  try {
    yield* verifyEnvelopes(verification);
    yield* verifyEnd(store, channel.channel_id);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    yield ofChannel(channel.channel_id, "channel", `it cannot be read: ${error.message}`);
  }
}

async function* verifyEnvelopes({
  store,
  types,
  channel,
  onEnvelope,
}: ChannelVerification): AsyncGenerator<Finding, void, undefined> {
  const channelId = channel.channel_id;
  // In this order: a hub that writes meanwhile moves the end behind the snapshot, never the snapshot.
  const snapshot = await store.readSnapshot(channelId);
  const head = await store.readHead(channelId);
  const links = createLinkCheck(channelId, head);
  const turns = createTurnCheck(channel, types.of(channel));
  const aside: Finding[] = [];
  async function* watched(): AsyncGenerator<StoredEnvelope, void, undefined> {
    for await (const stored of eachOfChannel(store, channelId, { upTo: head.position })) {
      onEnvelope(stored);
      aside.push(...links.take(stored), ...turns.take(stored));
      if (stored.position === snapshot?.position) {
        aside.push(...checkSnapshot(snapshot, stored, turns));
      }
      yield stored;
    }
  }
  for await (const { fault, ...place } of verifyChain(watched())) {
    yield* aside.splice(0);
    yield { kind: fault, ...place };
  }
  yield* aside;
  yield* links.end();
  if (snapshot !== null && snapshot.position > head.position) {
    const message = `its snapshot is of position ${snapshot.position}, behind its end ${head.position}`;
    yield ofChannel(channelId, "snapshot", message);
  }
}

function checkSnapshot(snapshot: Snapshot, stored: StoredEnvelope, turns: TurnCheck): Finding[] {
  if (snapshot.hash !== stored.hash || snapshot.row !== stored.row) {
    return [at(stored, "snapshot", "the snapshot here was taken after another envelope")];
  }
  if (turns.state === undefined) return [];
  const content = readSnapshot(snapshot);
  if (content === null) return [at(stored, "snapshot", "the snapshot here cannot be read")];
  const folded: unknown = JSON.parse(JSON.stringify(turns.state));
  if (isDeepStrictEqual(content.state, folded)) return [];
  return [at(stored, "snapshot", "the snapshot here is not the state that a fold gives")];
}

/**
 * A channel that is over says so in its metadata and in its last envelope. Each is read before the
 * other once, so that a hub which closes the channel meanwhile looks like no fault.
 */
async function* verifyEnd(
  store: Store,
  channelId: string,
): AsyncGenerator<Finding, void, undefined> {
  const endedBefore = await hasEnded(store, channelId);
  const channel = await store.readChannel(channelId);
  if (channel === null) return;
  const isOver = isTerminalState(channel.state);
  if (endedBefore && !isOver) {
    yield ofChannel(
      channelId,
      "end",
      `its last envelope ends it, but its state is ${channel.state}`,
    );
  }
  if (isOver && !(await hasEnded(store, channelId))) {
    yield ofChannel(channelId, "end", `its state is ${channel.state}, but no envelope ends it`);
  }
}

async function hasEnded(store: Store, channelId: string): Promise<boolean> {
  const { envelopes } = await store.readWal(channelId, { last: 1 });
  return endsChannel(envelopes.at(-1)?.event_type ?? "");
}
