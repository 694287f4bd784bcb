/**
 * Calls back when the signal is aborted, unless the returned function is called before. The signal
 * must not be aborted yet.
 */
export type AbortWatch = (signal: AbortSignal, onAbort: () => void) => () => void;

/**
 * Makes an {@link AbortWatch} that puts one listener on a signal, however many wait for it: a
 * runtime takes many listeners on one signal for a leak and says so.
 */
export function createAbortWatch(): AbortWatch {
  const watched = new Map<AbortSignal, Set<() => void>>();

  const begin = (signal: AbortSignal): Set<() => void> => {
    const waiting = new Set<() => void>();
    watched.set(signal, waiting);
    signal.addEventListener("abort", tell, { once: true });
    return waiting;
  };
  function tell(this: AbortSignal): void {
    const waiting = watched.get(this);
    watched.delete(this);
    for (const onAbort of [...(waiting ?? [])]) onAbort();
  }

  return (signal, onAbort) => {
    const waiting = watched.get(signal) ?? begin(signal);
    waiting.add(onAbort);
    return () => {
      waiting.delete(onAbort);
      if (waiting.size > 0 || watched.get(signal) !== waiting) return;
      watched.delete(signal);
      signal.removeEventListener("abort", tell);
    };
  };
}
