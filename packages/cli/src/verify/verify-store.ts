import type { ChannelMetadata, Store } from "@colloquy/protocol";
import type { ChannelTypes } from "../channels/channel-types.js";
import { lastRow } from "../data/last-row.js";
import { eachChannel } from "../data/read-pages.js";
import type { Progress } from "../output/progress.js";
import type { Finding } from "./finding.js";
import { verifyChannel } from "./verify-channel.js";
import { verifyLog } from "./verify-log.js";

/** What a verification has looked at so far. */
export interface Coverage {
  channels: number;
  envelopes: number;
  /** Channels whose turns were not checked, by a type that this program does not know. */
  readonly uncheckedTypes: Map<string, number>;
}

/** Input of {@link verifyStore}. */
export interface Verification {
  readonly store: Store;
  readonly types: ChannelTypes;
  readonly progress: Progress;
  /** Filled while it goes on. */
  readonly coverage: Coverage;
}

/** An empty {@link Coverage}. */
export function createCoverage(): Coverage {
  return { channels: 0, envelopes: 0, uncheckedTypes: new Map() };
}

/** Verifies every channel and then the log as a whole, up to the row that was last at the start. */
export async function* verifyStore(
  verification: Verification,
): AsyncGenerator<Finding, void, undefined> {
  const { store, coverage, progress } = verification;
  const upTo = await lastRow(store);
  const reached = new Map<string, number>();
  const total = 2 * upTo;
  for await (const channel of eachChannel(store)) {
    let count = 0;
    yield* verifyOne(verification, channel, (row) => {
      if (row <= upTo) count += 1;
      progress.update(coverage.envelopes, total);
    });
    reached.set(channel.channel_id, count);
  }
  let rows = 0;
  yield* verifyLog({
    store,
    upTo,
    reached,
    onEnvelope() {
      rows += 1;
      progress.update(upTo + rows, total);
    },
  });
}

/** Verifies one channel; see `verifyChannel`. */
export function verifyOne(
  { store, types, coverage }: Verification,
  channel: ChannelMetadata,
  onRow: (row: number) => void,
): AsyncGenerator<Finding, void, undefined> {
  coverage.channels += 1;
  const { type, version } = channel.manifest;
  if (types.of(channel) === null) {
    const name = `${type} version ${version}`;
    coverage.uncheckedTypes.set(name, (coverage.uncheckedTypes.get(name) ?? 0) + 1);
  }
  return verifyChannel({
    store,
    types,
    channel,
    onEnvelope({ row }) {
      coverage.envelopes += 1;
      onRow(row);
    },
  });
}
