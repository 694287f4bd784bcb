import { customAlphabet } from "nanoid";
import type { Clock } from "../ports/clock.js";
import type { IdSource } from "../ports/id-source.js";
import { isId } from "./id.js";

const randomHex = customAlphabet("0123456789abcdef", 16);
const NS_PER_MS = 1_000_000n;

/** Options of {@link createIdSource}. */
export interface IdSourceOptions {
  readonly clock: Clock;
  /** Sixteen random hex characters per call; default: `nanoid`'s secure source. */
  readonly random?: (() => string) | undefined;
}

/**
 * Makes ids of 8 bytes of nanoseconds and 8 random bytes, as 32 hex characters.
 *
 * Strictly increasing: when the clock stands still or steps back, the time part grows by one.
 * After a restart call `advancePast` with the newest id that is stored.
 */
export function createIdSource({ clock, random = randomHex }: IdSourceOptions): IdSource {
  let last = 0n;
  return {
    next() {
      const now = BigInt(Math.floor(clock.now())) * NS_PER_MS;
      last = now > last ? now : last + 1n;
      return last.toString(16).padStart(16, "0") + random();
    },
    advancePast(id) {
      if (!isId(id)) return;
      const time = BigInt(`0x${id.slice(0, 16)}`);
      if (time > last) last = time;
    },
  };
}
