import type { Store, StoredEnvelope } from "@colloquy/protocol";

/**
 * The first row for which a condition holds, given that it holds for every later one.
 *
 * Rows count from 1 without holes, so a few dozen reads of one row find it in any log.
 *
 * @param holds - must not become false again once it was true
 * @returns the row's number; one above the last row when it holds for none
 */
export async function firstRowWhere(
  store: Store,
  holds: (stored: StoredEnvelope) => boolean,
): Promise<number> {
  const isAtOrBehind = async (row: number): Promise<boolean> => {
    const [stored] = await store.readLog(row - 1, 1);
    return stored === undefined || holds(stored);
  };
  let high = 1;
  while (!(await isAtOrBehind(high))) high *= 2;
  let low = Math.floor(high / 2) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isAtOrBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** The newest row; 0 for an empty store. */
export async function lastRow(store: Store): Promise<number> {
  return (await firstRowWhere(store, () => false)) - 1;
}
