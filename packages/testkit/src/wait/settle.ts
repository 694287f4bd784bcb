/** Turns of the event loop that {@link settle} waits for by default. */
const DEFAULT_TURNS = 4;

/**
 * Lets promises and immediates that are ready run, chains of them included.
 *
 * It waits for `turns` turns of the event loop (default 4), not for time: work that waits for a
 * timer, a disk or a socket is not done after it. Wait for that with `until`.
 */
export async function settle(turns: number = DEFAULT_TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
