import { type IdSource, isId } from "@colloquy/protocol";

/** Time part of the ids before the first one: a moment in October 2024, and easy to read past. */
const FIRST_TIME = 0x18_00_00_00_00_00_00_00n;
const MAX_SEED = 0xffff_ffff;

/**
 * Makes the same ids every time: `1800000000000001…`, `1800000000000002…`, each 32 lower-case hex
 * characters and above the one before.
 *
 * `seed`, an integer from 0 to 2^32 − 1 (default 0), is the tail of every id, so that sources with
 * different seeds never make the same one.
 */
export function createFakeIds(seed = 0): IdSource {
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_SEED) {
    throw new RangeError(`seed must be an integer from 0 to ${MAX_SEED}, got ${seed}`);
  }
  const tail = seed.toString(16).padStart(16, "0");
  let time = FIRST_TIME;
  return {
    next() {
      time += 1n;
      return time.toString(16).padStart(16, "0") + tail;
    },
    advancePast(id) {
      if (!isId(id)) return;
      const other = BigInt(`0x${id.slice(0, 16)}`);
      if (other > time) time = other;
    },
  };
}
