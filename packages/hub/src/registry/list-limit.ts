import { describeKind, InvalidInputError } from "@colloquy/protocol";

/** Records that a listing gives when the caller does not say. */
const DEFAULT_LIST_LIMIT = 50;

/**
 * Reads the `limit` of a listing: absent is the default, null is no limit.
 *
 * @throws InvalidInputError for anything but a whole number of 0 or more
 */
export function readLimit(limit: number | null | undefined): number {
  if (limit === undefined) return DEFAULT_LIST_LIMIT;
  if (limit === null) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(limit) && limit >= 0) return limit;
  const remedy = "Give a whole number of 0 or more, or null for no limit.";
  throw new InvalidInputError(`limit: ${remedy}`, {
    field: "limit",
    received: describeKind(limit),
    remedy,
  });
}
