import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "../json/describe-kind.js";

/** Most entries that one page of a store's read holds. */
export const MAX_STORE_PAGE = 1_000;

/**
 * Entries that a page may hold: the asked number, at most {@link MAX_STORE_PAGE}, which is also the default.
 *
 * @param limit - what the caller asked for
 * @throws InvalidInputError when it is no whole number from 1 up
 */
export function pageLimit(limit: number | undefined): number {
  return Math.min(wholeNumber(limit, 1, MAX_STORE_PAGE, "limit"), MAX_STORE_PAGE);
}

/**
 * Checks a bound of a read.
 *
 * @param value - what the caller gave
 * @param least - the lowest value allowed
 * @param fallback - the value for an absent bound
 * @param field - the bound's name, for the error
 * @throws InvalidInputError when it is no whole number from `least` up
 */
export function wholeNumber(
  value: number | undefined,
  least: number,
  fallback: number,
  field: string,
): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value >= least) return value;
  const received = Number.isSafeInteger(value) ? `${value}` : describeKind(value);
  const remedy = `Give a whole number from ${least} up, or leave it out.`;
  throw new InvalidInputError(`field ${field}: received ${received}. ${remedy}`, {
    field,
    received,
    remedy,
  });
}
