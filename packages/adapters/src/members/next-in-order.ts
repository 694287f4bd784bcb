/**
 * The member after one in an order, and the first after the last.
 *
 * @returns null when the member is not in the order
 */
export function nextInOrder(order: readonly string[], member: string | null): string | null {
  const at = member === null ? -1 : order.indexOf(member);
  return at < 0 ? null : (order[(at + 1) % order.length] ?? null);
}
