/** Seconds for a sentence: whole ones with one decimal, as other peers of the network write them. */
export function formatSeconds(seconds: number): string {
  return Number.isInteger(seconds) ? seconds.toFixed(1) : String(seconds);
}
