import { createDefaultAdapters } from "@colloquy/adapters";
import { type ChannelMetadata, channelAtStart, type Envelope } from "@colloquy/protocol";
import { expect } from "vitest";
import type { PythonStates } from "./python-peer.js";

/** States of a channel as Colloquy's own adapter folds them: before the first envelope, and after each. */
function foldAtEveryPosition(
  metadata: ChannelMetadata,
  wal: readonly Envelope[],
): readonly unknown[] {
  const adapter = createDefaultAdapters().find(
    ({ manifest }) => manifest.type === metadata.manifest.type,
  );
  if (adapter === undefined) throw new Error(`no adapter for ${metadata.manifest.type}`);
  const states: unknown[] = [adapter.initialState(channelAtStart(metadata))];
  for (const envelope of wal) states.push(adapter.fold(states.at(-1), envelope));
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
    expect(ours[at], `after ${at} of ${wal.length} envelopes`).toMatchObject(state);
  }
}
