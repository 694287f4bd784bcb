import type * as z from "zod";
import { channelOperations } from "./channel-operations.js";
import { colloquyOperations } from "./colloquy-operations.js";
import { registryOperations } from "./registry-operations.js";
import { taskOperations } from "./task-operations.js";
import { walOperations } from "./wal-operations.js";

/** What an operation takes and gives. Unknown parameters are passed over. */
export interface OperationContract {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

/** The thirty operations that both profiles have. */
export const operations = {
  ...registryOperations,
  ...channelOperations,
  ...walOperations,
  ...taskOperations,
} satisfies Record<string, OperationContract>;

/** Every operation: those of both profiles and those of `colloquy.v1` alone. */
export const allOperations = {
  ...operations,
  ...colloquyOperations,
} satisfies Record<string, OperationContract>;

/** Name of an operation that both profiles have. */
export type BareOperationName = keyof typeof operations;
/** Name of an operation that only `colloquy.v1` has. */
export type ColloquyOperationName = keyof typeof colloquyOperations;
/** Name of any operation. */
export type OperationName = keyof typeof allOperations;
/** Parameters as a handler gets them: checked, with every optional one filled in. */
export type OperationParams<Op extends OperationName> = z.output<
  (typeof allOperations)[Op]["params"]
>;
/** Parameters as a caller writes them: optional ones may be absent or null. */
export type OperationInput<Op extends OperationName> = z.input<
  (typeof allOperations)[Op]["params"]
>;
/** What an operation gives. */
export type OperationResult<Op extends OperationName> = z.output<
  (typeof allOperations)[Op]["result"]
>;

/**
 * Tells whether both profiles have an operation of this name.
 *
 * @param name - name from a request
 */
export function isBareOperationName(name: string): name is BareOperationName {
  return Object.hasOwn(operations, name);
}

/**
 * Tells whether `colloquy.v1` has an operation of this name; it has all of them.
 *
 * @param name - name from a request
 */
export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(allOperations, name);
}
