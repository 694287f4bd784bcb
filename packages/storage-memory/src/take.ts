/** The first `limit` results of `pick` that are not undefined. */
export function take<T, R>(
  items: Iterable<T>,
  limit: number,
  pick: (item: T) => R | undefined,
): R[] {
  const taken: R[] = [];
  for (const item of items) {
    const result = pick(item);
    if (result !== undefined) taken.push(result);
    if (taken.length >= limit) break;
  }
  return taken;
}
