const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Reads a duration and returns whole seconds.
 *
 * An integer is seconds; text is digits with an optional unit `s`, `m`, `h` or `d`; empty text is 0.
 * A result of 0 or less means "never". Throws `TypeError` for anything else.
 */
export function parseDuration(value: string | number): number {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return value;
    throw new TypeError(`duration must be a whole number of seconds, got ${value}`);
  }
  if (value === "") return 0;
  const match = /^(-?\d{1,15})([smhd]?)$/.exec(value.trim());
  if (match === null) {
    throw new TypeError(
      "duration must be digits with an optional unit s, m, h or d, for example 30s or 2h",
    );
  }
  return Number(match[1]) * (UNIT_SECONDS[match[2] ?? ""] ?? 1);
}
