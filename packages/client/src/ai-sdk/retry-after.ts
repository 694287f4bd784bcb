/** A whole or decimal number of 0 or more, without a sign. */
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * Milliseconds that a server asks to be left alone for; null when it says nothing that can be read.
 *
 * `retry-after-ms` counts first, as some providers send it beside the coarser header; `retry-after`
 * is a number of seconds or an HTTP date (RFC 9110, section 10.2.3). A date that has passed is 0.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number | null {
  const found = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  const precise = found.get("retry-after-ms") ?? "";
  if (NUMBER.test(precise)) return Number(precise);
  const asked = found.get("retry-after") ?? "";
  if (NUMBER.test(asked)) return Number(asked) * 1000;
  // Without a letter it is no date, although Date.parse would make one of it.
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
