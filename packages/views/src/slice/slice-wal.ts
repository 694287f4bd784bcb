import {
  type Envelope,
  NotFoundError,
  showsSomething,
  type ViewContext,
  type ViewPolicy,
  visibleTo,
  type WalSlice,
} from "@colloquy/protocol";

/** Options of {@link sliceWal}. */
export interface SliceOptions extends Pick<ViewContext, "participantId" | "render"> {
  /** How much the view needs. */
  readonly needs: ViewPolicy["needs"];
  /** Id of an envelope of this WAL: only what stands before it is cut. Default: the whole WAL. */
  readonly before?: string | undefined;
}

/**
 * Cuts a whole WAL, oldest first, into the slice that a view needs.
 *
 * An envelope is *visible* when `visibleTo` says so for the participant, and *shown* when it is
 * visible and `showsSomething` of its rendering.
 *
 * - `needs` `all`: every visible envelope, shown or not; nothing is left out.
 * - `needs` `{ last: n }`: the newest n shown envelopes, or all of them when there are fewer, and
 *   nothing else. `left_out.count` is how many shown envelopes stand before those, and
 *   `left_out.senders` who sent them, each id once, in order of first appearance.
 *
 * With `before`, that envelope and everything behind it count as not there. Envelopes come back as
 * the same objects in the same order.
 *
 * @throws NotFoundError when `before` is in none of the envelopes
 */
export function sliceWal(
  envelopes: readonly Envelope[],
  { participantId, render, needs, before }: SliceOptions,
): WalSlice {
  const visible = upTo(envelopes, before).filter((envelope) => visibleTo(envelope, participantId));
  if (needs === "all") return { envelopes: visible, left_out: { count: 0, senders: [] } };
  const shown = visible.filter((envelope) => showsSomething(render(envelope)));
  const start = Math.max(0, shown.length - needs.last);
  const elided = shown.slice(0, start);
  const senders = [...new Set(elided.map((envelope) => envelope.sender_id))];
  return { envelopes: shown.slice(start), left_out: { count: elided.length, senders } };
}

function upTo(envelopes: readonly Envelope[], before: string | undefined): readonly Envelope[] {
  if (before === undefined) return envelopes;
  const end = envelopes.findIndex((envelope) => envelope.envelope_id === before);
  if (end < 0) {
    throw new NotFoundError(
      `envelope ${JSON.stringify(before.slice(0, 64))} is not in this WAL; name one of its ${envelopes.length} envelopes`,
    );
  }
  return envelopes.slice(0, end);
}
