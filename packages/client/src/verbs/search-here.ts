import {
  DEFAULT_SEARCH_SIZE,
  type Envelope,
  foldText,
  type OperationInput,
  type OperationResult,
  spokenText,
  visibleTo,
} from "@colloquy/protocol";

/** `search_text` over a whole log, for a hub that does not have it. */
export function searchHere(
  log: readonly Envelope[],
  search: Omit<OperationInput<"search_text">, "channel_id">,
): OperationResult<"search_text"> {
  const { agent_id, query, after, before, order, limit } = search;
  const words = foldText(query);
  const high = before ?? Number.POSITIVE_INFINITY;
  const hits = log
    .map((envelope, index) => ({ envelope, position: index + 1 }))
    .filter(
      ({ envelope, position }) =>
        position > (after ?? 0) &&
        position < high &&
        visibleTo(envelope, agent_id) &&
        foldText(spokenText(envelope)).includes(words),
    );
  if (order === "newest") hits.reverse();
  const given = hits.slice(0, limit ?? DEFAULT_SEARCH_SIZE);
  return {
    envelopes: given.map(({ envelope }) => envelope),
    positions: given.map(({ position }) => position),
    next: given.length < hits.length ? (given.at(-1)?.position ?? null) : null,
  };
}
