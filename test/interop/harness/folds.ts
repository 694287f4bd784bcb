import { createDefaultAdapters } from "@colloquy/adapters";
import { type ChannelMetadata, channelAtStart, type Envelope } from "@colloquy/protocol";
import { expect } from "vitest";
import type { PythonStates } from "./python-peer.js";

/** States of a channel as Colloquy's own adapter folds them: before the first envelope, and after each. */
function foldAtEveryPosition(
  metadata: ChannelMetadata,
  wal: readonly Envelope[],
): readonly object[] {
  const adapter = createDefaultAdapters().find(
    ({ manifest }) => manifest.type === metadata.manifest.type,
  );
  if (adapter === undefined) throw new Error(`no adapter for ${metadata.manifest.type}`);
  const states = [adapter.initialState(channelAtStart(metadata)) as object];
  for (const envelope of wal) states.push(adapter.fold(states.at(-1), envelope) as object);
  return states;
}

/**
 * Expects that both sides fold a log to the same states, at every position.
 *
 * Compared is all that AG2's state holds; what Colloquy's holds beside it only says more.
 */
export function expectSameFolds(
  metadata: ChannelMetadata,
  wal: readonly Envelope[],
  theirs: PythonStates,
): void {
  const ours = foldAtEveryPosition(metadata, wal);
  expect(theirs).toHaveLength(wal.length + 1);
  expect(ours).toHaveLength(wal.length + 1);
  for (const [at, state] of theirs.entries()) {
    const mine = Object.entries(ours[at] ?? {}).filter(([key]) => Object.hasOwn(state, key));
    expect(Object.fromEntries(mine), `after ${at} of ${wal.length} envelopes`).toEqual(state);
  }
}
