/**
 * The candidates that a mistyped word may have meant, nearest first.
 *
 * Near means: one holds the other, or at most a third of the longer word has to be changed.
 * Case does not count.
 *
 * @param word - what was typed
 * @param candidates - what there is
 * @param limit - most candidates to give back
 */
export function nearest(word: string, candidates: readonly string[], limit: number): string[] {
  const typed = word.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => {
      return distance <= Math.max(word.length, candidate.length) / 3;
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function distanceTo(typed: string, candidate: string): number {
  const held = typed.length >= 3 && (candidate.includes(typed) || typed.includes(candidate));
  return held ? 0 : editDistance(typed, candidate);
}

/** Letters to insert, delete, replace or swap with a neighbour to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
