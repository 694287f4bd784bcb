const ID = /^[0-9a-f]{32}$/;

/** True for an id as the hub makes them: 32 lower-case hexadecimal characters. */
export function isId(value: string): boolean {
  return ID.test(value);
}

/** The time in an id, in epoch milliseconds; null when it is no id. */
export function idTime(id: string): number | null {
  return isId(id) ? Number(BigInt(`0x${id.slice(0, 16)}`) / 1_000_000n) : null;
}
