import type { Clock, Timer } from "@colloquy/protocol";
import type { ChannelEntry } from "./channel-entry.js";

/** Tells when nothing has come of a growing answer for long. */
export interface QuietWatch {
  /** Takes note of an entry's newest state. */
  note(entry: ChannelEntry): void;
  /** Nothing counts as quiet while nothing can come; time begins anew with each change. */
  setLink(isUp: boolean): void;
  end(): void;
}

/**
 * Makes a {@link QuietWatch}.
 *
 * @param onQuiet - gets the id of the entry
 */
export function createQuietWatch(
  clock: Clock,
  quietMs: number,
  onQuiet: (id: string) => void,
): QuietWatch {
  /** By entry id; null while the link is down. */
  const timers = new Map<string, Timer | null>();
  let isUp = true;
  const start = (id: string): Timer | null =>
    isUp
      ? clock.setTimer(quietMs, () => {
          timers.delete(id);
          onQuiet(id);
        })
      : null;
  return {
    note({ id, state }) {
      timers.get(id)?.cancel();
      timers.delete(id);
      if (state === "growing") timers.set(id, start(id));
    },
    setLink(up) {
      if (up === isUp) return;
      isUp = up;
      for (const [id, timer] of timers) {
        timer?.cancel();
        timers.set(id, start(id));
      }
    },
    end() {
      for (const timer of timers.values()) timer?.cancel();
      timers.clear();
    },
  };
}
