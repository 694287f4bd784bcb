import * as z from "zod";

/** Levels of arrays and objects that a value in a knob or a context variable may have. */
export const MAX_VALUE_DEPTH = 64;

const FORBIDDEN_KEY = "__proto__";

/** Where a value stops being plain JSON, and how. */
export interface JsonFault {
  readonly path: readonly (string | number)[];
  /** A sentence that tells the sender what to do instead. */
  readonly remedy: string;
}

/**
 * Finds the first place at which a value is not plain JSON that every reader copies safely.
 *
 * Refused are keys `__proto__` at any level, values that JSON cannot hold (functions, `undefined`,
 * numbers that are not finite, objects with a prototype of their own) and more than
 * {@link MAX_VALUE_DEPTH} levels, which also ends cycles. Keys such as `constructor` and `toString`
 * are plain data, because values are only ever looked up as own properties.
 *
 * @returns the first fault, or null for plain JSON
 */
export function findJsonFault(value: unknown): JsonFault | null {
  return faultAt(value, [], 0);
}

/** An object of plain JSON, as {@link findJsonFault} defines it; kept as it is, by reference. */
export const jsonObjectSchema = z
  .custom<Readonly<Record<string, unknown>>>()
  .superRefine((value, context) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      context.addIssue({ code: "invalid_type", expected: "object", input: value });
      return;
    }
    const fault = findJsonFault(value);
    if (fault === null) return;
    context.addIssue({ code: "custom", path: [...fault.path], message: fault.remedy });
  });

function faultAt(value: unknown, path: (string | number)[], depth: number): JsonFault | null {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { path, remedy: "Send a finite number." };
  }
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return null;
  if (typeof value !== "object") return { path, remedy: "Send a value that JSON can hold." };
  if (depth >= MAX_VALUE_DEPTH) {
    return { path, remedy: `Keep arrays and objects within ${MAX_VALUE_DEPTH} levels.` };
  }
  if (Array.isArray(value)) return firstFault(value.entries(), path, depth);
  if (!isPlainObject(value)) return { path, remedy: "Send a plain object." };
  if (Object.hasOwn(value, FORBIDDEN_KEY)) {
    return { path, remedy: `Rename the key ${FORBIDDEN_KEY}.` };
  }
  return firstFault(Object.entries(value), path, depth);
}

function firstFault(
  entries: Iterable<[string | number, unknown]>,
  path: (string | number)[],
  depth: number,
): JsonFault | null {
  for (const [key, inner] of entries) {
    const fault = faultAt(inner, [...path, key], depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
