import * as z from "zod";

/**
 * A parameter that may be absent or null, as clients of either profile send it, with what it then stands for.
 *
 * @param schema - contract of a value that is given
 * @param fallback - value of an absent or null parameter
 */
export function optionalParam<S extends z.ZodType, F extends z.output<S> | null>(
  schema: S,
  fallback: F,
) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** A parameter that may be absent or null, and is then null. */
export function nullableParam<S extends z.ZodType>(schema: S) {
  return optionalParam(schema, null);
}

/** How many records a listing gives when the caller does not say. */
const DEFAULT_LIST_LIMIT = 50;

/** Parameter `limit` of a listing: most records to give; at least 0. */
export const limitParam = optionalParam(z.int().min(0), DEFAULT_LIST_LIMIT);

/** A JSON object of free content. */
export const jsonObject = z.record(z.string(), z.unknown());

/** Result of an operation that gives nothing back. */
export const nothing = z.null();
