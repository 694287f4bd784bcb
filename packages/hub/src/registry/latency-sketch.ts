/**
 * How long tasks of one kind took, in bounded room: a histogram whose buckets grow by a constant
 * factor, so that every quantile is within {@link SKETCH_ERROR} of a latency that was given.
 *
 * Plain JSON. At most some 600 buckets, whatever is given; two sketches can be merged.
 */
export interface LatencySketch {
  readonly count: number;
  /** Shortest and longest latency, in milliseconds. */
  readonly min: number;
  readonly max: number;
  /** Number of a bucket and how many latencies are in it, by number. */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

/** Greatest relative error of a quantile. */
export const SKETCH_ERROR = 0.02;

const GROWTH = (1 + SKETCH_ERROR) / (1 - SKETCH_ERROR);
/** Longest latency that is told apart: a year, in milliseconds. */
const LONGEST_MS = 366 * 86_400_000;

/** A sketch in which nothing is. */
export const EMPTY_SKETCH: LatencySketch = { count: 0, min: 0, max: 0, buckets: [] };

/**
 * A sketch with one latency more.
 *
 * @param latencyMs - a finite number; below 0 counts as 0, beyond a year as a year
 */
export function addLatency(sketch: LatencySketch, latencyMs: number): LatencySketch {
  const value = Math.min(Math.max(latencyMs, 0), LONGEST_MS);
  const one = { count: 1, min: value, max: value, buckets: [[bucketOf(value), 1]] as const };
  return mergeSketches(sketch, one);
}

/** A sketch of all that is in either. */
export function mergeSketches(a: LatencySketch, b: LatencySketch): LatencySketch {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const counts = new Map(a.buckets);
  for (const [bucket, count] of b.buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return {
    count: a.count + b.count,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    buckets: [...counts].sort(([x], [y]) => x - y),
  };
}

/**
 * The latency below or at which this share of all lies, in whole milliseconds (nearest rank); null
 * for an empty sketch. The least and the greatest are exact.
 *
 * @param share - 0 to 1; 0.5 is the median, the lower one of an even number
 */
export function quantileOf(
  { count, min, max, buckets }: LatencySketch,
  share: number,
): number | null {
  if (count === 0) return null;
  const rank = Math.min(Math.max(Math.ceil(share * count), 1), count);
  if (rank === 1) return Math.round(min);
  if (rank === count) return Math.round(max);
  let seen = 0;
  for (const [bucket, inBucket] of buckets) {
    seen += inBucket;
    if (seen >= rank) return Math.round(Math.min(Math.max(middleOf(bucket), min), max));
  }
  return Math.round(max);
}

/** Bucket 0 holds what is below a millisecond, bucket n what is below `GROWTH ** n`. */
function bucketOf(latencyMs: number): number {
  return latencyMs < 1 ? 0 : 1 + Math.floor(Math.log(latencyMs) / Math.log(GROWTH));
}

function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * GROWTH ** bucket) / (GROWTH + 1);
}
