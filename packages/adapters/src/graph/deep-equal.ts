/**
 * True for two JSON values of the same structure. Only own properties count, and the order of keys
 * does not.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  }
  return sameEntries(a, b);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => deepEqual(item, b[at]));
}

function sameEntries(a: object, b: object): boolean {
  const entries = Object.entries(a);
  if (entries.length !== Object.keys(b).length) return false;
  return entries.every(
    ([key, value]) => Object.hasOwn(b, key) && deepEqual(value, Reflect.get(b, key)),
  );
}
