const NOBODY: readonly string[] = [];

/**
 * The member after one in an order, and the first after the last; itself when there is no other.
 *
 * @param skipped - members that are passed over, though not when they are asked about
 * @returns null when the member is not in the order, or everybody is passed over
 */
export function nextInOrder(
  order: readonly string[],
  member: string | null,
  skipped: readonly string[] = NOBODY,
): string | null {
  const at = member === null ? -1 : order.indexOf(member);
  if (at < 0) return null;
  for (let step = 1; step <= order.length; step += 1) {
    const next = order[(at + step) % order.length];
    if (next !== undefined && !skipped.includes(next)) return next;
  }
  return null;
}
