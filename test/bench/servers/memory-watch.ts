/** Milliseconds between two looks at the memory of this process. */
const INTERVAL_MS = 2;

/** Commands that find how far the memory of a process rises. */
export function createMemoryWatch() {
  let peak = 0;
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  return {
    async startWatch(): Promise<void> {
      peak = 0;
      look();
      timer ??= setInterval(look, INTERVAL_MS);
    },
    /** The most bytes that were resident since the start of the watch. */
    async endWatch(): Promise<number> {
      look();
      clearInterval(timer ?? undefined);
      timer = null;
      return peak;
    },
  };
}
