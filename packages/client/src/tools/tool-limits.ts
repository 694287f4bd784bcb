import { parseWith } from "@colloquy/protocol";
import * as z from "zod";

/** Bounds of the tool calls of one turn. */
export interface ToolLimits {
  /** Calls that fail before the turn ends as failed: no such tool, wrong arguments, a throw. Default 10. */
  readonly maxFailedCalls?: number | undefined;
  /** Calls of one turn. Default 100. */
  readonly maxCalls?: number | undefined;
  /** Characters of one result that the model reads; a longer one is cut. Default 100,000. */
  readonly maxResultLength?: number | undefined;
}

const limitsSchema = z.strictObject({
  maxFailedCalls: z.int().min(0).default(10),
  maxCalls: z.int().min(1).default(100),
  maxResultLength: z.int().min(1).default(100_000),
});

/**
 * Checks limits and fills in the defaults.
 *
 * @throws InvalidInputError that names the field
 */
export function toolLimits(
  limits: ToolLimits | undefined,
): Required<z.output<typeof limitsSchema>> {
  return parseWith(limitsSchema, limits ?? {}, "limits of tool calls");
}
