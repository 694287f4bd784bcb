import * as z from "zod";
import { jsonObjectSchema } from "../knobs/json-object.js";

/** A condition or a target, named by data: it can stand in a knob, a file or a log. */
export const stepSpecSchema = z.strictObject({
  name: z.string().min(1),
  args: jsonObjectSchema.default({}),
});

/** One rule: when the condition holds, the target says who speaks next. */
export const transitionSchema = z.strictObject({
  when: stepSpecSchema,
  // biome-ignore lint/suspicious/noThenProperty: the key is fixed by the wire; the value is never awaited.
  then: stepSpecSchema,
  /** Lower numbers are tried first; equal ones in the order of the list. */
  priority: z.int().default(0),
});

/** What ends a workflow when no rule applies and the graph names nothing else. */
const DEFAULT_TARGET = { name: "terminate", args: { reason: "after_work" } } as const;

/** Who speaks first, and who speaks after whom. Plain JSON in this very shape. */
export const transitionGraphSchema = z.strictObject({
  initial_speaker: z.string().min(1),
  transitions: z.array(transitionSchema).max(10_000).default([]),
  /** Taken when no rule applies; default: terminate with reason `after_work`. */
  default_target: stepSpecSchema.nullish().transform((target) => target ?? DEFAULT_TARGET),
  /** Turns after which the channel closes with reason `max_turns`; null is no cap. */
  max_turns: z.int().min(1).nullable().default(null),
});

/** A condition by name, with its arguments. */
export type ConditionSpec = z.output<typeof stepSpecSchema>;
/** A target by name, with its arguments. */
export type TargetSpec = z.output<typeof stepSpecSchema>;
/** See {@link transitionSchema}. */
export type Transition = z.output<typeof transitionSchema>;
/** See {@link transitionGraphSchema}. */
export interface TransitionGraph {
  readonly initial_speaker: string;
  readonly transitions: readonly Transition[];
  readonly default_target: TargetSpec;
  readonly max_turns: number | null;
}

/**
 * One rule of a graph.
 *
 * @param priority - lower numbers are tried first, equal ones in list order; default 0
 */
export function transition(when: ConditionSpec, target: TargetSpec, priority = 0): Transition {
  // biome-ignore lint/suspicious/noThenProperty: the key is fixed by the wire; the value is never awaited.
  return { when, then: target, priority };
}
