/** Middle and ends of a series. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** How many values went in. */
  readonly count: number;
}

/**
 * The value below which a share of the values lies, by linear interpolation between neighbours.
 *
 * @param values - in any order
 * @param share - 0 is the smallest, 0.5 the median, 1 the largest
 * @throws RangeError for no values, or for a share outside 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError("a quantile of no values does not exist");
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share: received ${share}, give 0 to 1`);
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * Median and ends of a series.
 *
 * @throws RangeError for no values
 */
export function spread(values: readonly number[]): Spread {
  return {
    median: median(values),
    min: quantile(values, 0),
    max: quantile(values, 1),
    count: values.length,
  };
}

/**
 * Divides two series round by round, so that a phase in which the machine was slow touches both
 * sides of each ratio. The median of these ratios is not the ratio of the medians.
 *
 * @throws RangeError when the series differ in length, or a divisor is not above 0
 */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  if (over.length !== under.length) {
    throw new RangeError(`${over.length} rounds cannot be divided by ${under.length}`);
  }
  return over.map((value, round) => {
    const divisor = under[round] ?? Number.NaN;
    if (!(divisor > 0)) throw new RangeError(`round ${round + 1}: cannot divide by ${divisor}`);
    return value / divisor;
  });
}
