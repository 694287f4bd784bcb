import {
  type ChannelHead,
  type ChannelMetadata,
  type DeliveryRecord,
  isTerminalState,
  type RecordWrite,
  type Snapshot,
  type StoredEnvelope,
} from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import type { LiveChannel } from "../live/live-channel.js";
import { memberSetsOf } from "../live/member-sets.js";
import { rememberEnvelope } from "../live/remember-envelope.js";
import { rendersSomething } from "../live/renders-something.js";
import { toSnapshot } from "../live/snapshot.js";
import { type ChannelDraft, toStored } from "./channel-draft.js";

/** What is stored with a draft, and what is told once it is durable or has failed. */
export interface DraftFate {
  /** Records that are durable exactly if the draft is. */
  readonly records?: readonly RecordWrite[];
  /** Called when it is durable, before anything is released. */
  onCommitted?(): void;
  onFailed?(error: Error): void;
}

/**
 * Stages a draft as one work: all of it becomes durable, or nothing. From here on the channel in
 * memory is what the draft says.
 *
 * Throws `UnavailableError`, with nothing changed, when the hub has stopped writing.
 */
export function stageDraft(context: CoreContext, draft: ChannelDraft, fate: DraftFate): void {
  const { live } = draft;
  const envelopes = numberRows(context, draft);
  const { metadata } = draft;
  const isNews = metadata !== live.metadata || live.head.position === 0;
  const hasEnded = isTerminalState(metadata.state);
  const head = {
    position: draft.position,
    hash: draft.hash,
    row: envelopes.at(-1)?.row ?? live.head.row,
  };
  context.committer.enqueue({
    envelopes,
    channels: isNews ? [{ channel: metadata }] : [],
    records: joinRecords(
      hasEnded ? context.expectations.recordsAtEnd(live.id) : draft.records,
      fate.records,
    ),
    deliveries: lastRecords(context, live, metadata),
    onCommitted: () => settle(context, draft, fate, { head, isNews }),
    onFailed: (error) => fate.onFailed?.(error),
  });
  const before = live.metadata;
  live.metadata = metadata;
  live.state = draft.state;
  live.head = head;
  for (const { envelope, sealed, position } of draft.entries) {
    rememberEnvelope(live, envelope, {
      position,
      digest: sealed.digest,
      remembered: context.limits.rememberedEnvelopes,
    });
  }
  if (hasOtherMembers(metadata, before)) {
    Object.assign(live, memberSetsOf(metadata));
    context.channels.membersChanged(live, before);
  }
  if (hasEnded) context.channels.ended(live);
}

const NO_RECORDS: readonly RecordWrite[] = [];

function joinRecords(
  own: readonly RecordWrite[] = NO_RECORDS,
  others: readonly RecordWrite[] = NO_RECORDS,
): readonly RecordWrite[] {
  if (others.length === 0) return own;
  return own.length === 0 ? others : [...own, ...others];
}

/**
 * Where those stand in the channel who get nothing more of it after this draft. Stored with it, so
 * that what they have not settled by then finds them after a kill.
 */
function lastRecords(
  { delivery }: CoreContext,
  live: LiveChannel,
  after: ChannelMetadata,
): readonly DeliveryRecord[] {
  if (isTerminalState(after.state)) return delivery.recordsAtEnd(live);
  const before = live.metadata;
  if (!hasOtherMembers(after, before)) return [];
  const stay = new Set(idsOf(after));
  const gone = new Set(idsOf(before).filter((id) => !stay.has(id)));
  return gone.size === 0 ? [] : delivery.recordsAtEnd({ id: live.id, participants: gone });
}

function hasOtherMembers(a: ChannelMetadata, b: ChannelMetadata): boolean {
  return a.participants !== b.participants || a.invited !== b.invited;
}

function idsOf({ participants, invited = [] }: ChannelMetadata): string[] {
  return [...participants, ...invited].map(({ agent_id }) => agent_id);
}

function numberRows(context: CoreContext, draft: ChannelDraft): StoredEnvelope[] {
  let prevRow = draft.live.head.row;
  return draft.entries.map((entry) => {
    const row = context.committer.takeRow();
    const stored = toStored(entry, row, prevRow);
    prevRow = row;
    return stored;
  });
}

/** The draft is durable: readers see it, its sender is answered, its recipients are notified. */
function settle(
  context: CoreContext,
  draft: ChannelDraft,
  fate: DraftFate,
  { head, isNews }: { readonly head: ChannelHead; readonly isNews: boolean },
): void {
  const { live, metadata } = draft;
  live.durable = { metadata, state: draft.state };
  live.committed = draft.position;
  for (const entry of draft.entries) {
    if (rendersSomething(live, entry.envelope)) live.tally.add(entry.envelope);
    else live.tally.note(entry.envelope);
    live.watch?.note(live, entry);
  }
  if (isNews) context.channels.committed(live, metadata);
  keepSnapshot(context, draft, head);
  fate.onCommitted?.();
  for (const entry of draft.entries) {
    const { envelope, position, recipients, sealed } = entry;
    context.delivery.release({ live, envelope, text: sealed.body, position, recipients });
    if (entry.announced) context.listeners.emit("onEnvelopePosted", envelope, metadata);
    if (context.delivery.isDispatched(envelope.envelope_id)) context.traces?.end(envelope);
  }
  for (const { kind, payload } of draft.events) {
    context.listeners.emit("onChannelEvent", live.id, kind, payload);
  }
  if (isNews) context.lifecycle.changed(metadata);
  const since = draft.entries[0]?.at ?? 0;
  if (live.watch !== null) context.expectations.changed(live, { since, isNews });
}

/** State and tally are those of the draft's end, since works settle in their order. */
function keepSnapshot(
  context: CoreContext,
  { live, metadata }: ChannelDraft,
  head: ChannelHead,
): void {
  const { committed, snapshotAt } = live;
  const isDue = committed - snapshotAt >= context.limits.snapshotEvery;
  if (live.adapter === null || !(isDue || isTerminalState(metadata.state))) return;
  const snapshot: Snapshot | null = toSnapshot(context.logger, live, head);
  if (snapshot === null) return;
  live.snapshotAt = committed;
  context.committer.lazily({ snapshots: [snapshot] });
}
