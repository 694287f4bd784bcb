import type { Envelope } from "@colloquy/protocol";

/** One frozen copy per envelope object, so that a broadcast in this process is parsed once. */
const copies = new WeakMap<Envelope, Envelope>();

/**
 * A copy of an envelope that nobody can change, made from its JSON.
 *
 * @param envelope - the hub's object; it is neither frozen nor given out
 * @param text - its JSON
 */
export function frozenEnvelope(envelope: Envelope, text: string): Envelope {
  const known = copies.get(envelope);
  if (known !== undefined) return known;
  const copy = deepFreeze(JSON.parse(text) as Envelope);
  copies.set(envelope, copy);
  return copy;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
