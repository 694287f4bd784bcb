import type { RowContext } from "./row.js";

/** Both sides of a comparison, one value per round. */
export interface Sides<Left, Right> {
  readonly left: readonly Left[];
  readonly right: readonly Right[];
}

/**
 * Runs two sides one after the other in every round, the first to go changing from round to round.
 * One round before the first is thrown away.
 */
export async function interleave<Left, Right>(
  { rounds, progress }: Pick<RowContext, "rounds" | "progress">,
  left: () => Promise<Left>,
  right: () => Promise<Right>,
): Promise<Sides<Left, Right>> {
  const lefts: Left[] = [];
  const rights: Right[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    if (round % 2 === 0) lefts.push(await left());
    rights.push(await right());
    if (round % 2 === 1) lefts.push(await left());
  }
  return { left: lefts.slice(1), right: rights.slice(1) };
}
