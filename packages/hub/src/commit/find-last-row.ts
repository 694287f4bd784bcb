import type { Store } from "@colloquy/protocol";

const PAGE = 1_000;

/** Newest row of a store, found from one that is known to be there. */
export async function findLastRow(store: Pick<Store, "readLog">, known: number): Promise<number> {
  let last = known;
  for (;;) {
    const page = await store.readLog(last, PAGE);
    last = page.at(-1)?.row ?? last;
    if (page.length < PAGE) return last;
  }
}
