import { explainIssue, WorkflowGraphError } from "@colloquy/protocol";
import type * as z from "zod";
import type { Decision, RoutingContext } from "./routing-context.js";

type Args = Readonly<Record<string, unknown>>;

/** A condition with its arguments, ready to be asked. */
export interface BoundCondition {
  /** Agents that the arguments name; each must take part in the channel. */
  readonly agents: readonly string[];
  holds(context: RoutingContext): boolean;
}

/** A target with its arguments, ready to be asked. */
export interface BoundTarget {
  /** Agents that the arguments name; each must take part in the channel. */
  readonly agents: readonly string[];
  resolve(context: RoutingContext): Decision;
}

/** A kind of condition that graphs may name. */
export interface ConditionType {
  readonly name: string;
  /** Throws `WorkflowGraphError` for arguments that the type does not take. */
  bind(args: Args): BoundCondition;
}

/** A kind of target that graphs may name. */
export interface TargetType {
  readonly name: string;
  /** Throws `WorkflowGraphError` for arguments that the type does not take. */
  bind(args: Args): BoundTarget;
}

interface StepDefinition<A> {
  /** Unique among conditions, or among targets. */
  readonly name: string;
  /** Shape of `args` in a graph. */
  readonly args: z.ZodType<A>;
  /** Agents that the arguments name, so that a channel without them is refused at open. */
  readonly agents?: ((args: A) => readonly string[]) | undefined;
}

/** Input of {@link defineCondition}. */
export interface ConditionDefinition<A> extends StepDefinition<A> {
  /** Pure: same arguments and context, same answer. */
  holds(args: A, context: RoutingContext): boolean;
}

/** Input of {@link defineTarget}. */
export interface TargetDefinition<A> extends StepDefinition<A> {
  /** Pure: same arguments and context, same decision. */
  resolve(args: A, context: RoutingContext): Decision;
}

/** Makes a condition type. It must be known to every hub and client that loads such a graph. */
export function defineCondition<A>(definition: ConditionDefinition<A>): ConditionType {
  return {
    name: definition.name,
    bind(args) {
      const parsed = parseArgs("condition", definition, args);
      const agents = definition.agents?.(parsed) ?? [];
      return { agents, holds: (context) => definition.holds(parsed, context) };
    },
  };
}

/** Makes a target type. It must be known to every hub and client that loads such a graph. */
export function defineTarget<A>(definition: TargetDefinition<A>): TargetType {
  return {
    name: definition.name,
    bind(args) {
      const parsed = parseArgs("target", definition, args);
      const agents = definition.agents?.(parsed) ?? [];
      return { agents, resolve: (context) => definition.resolve(parsed, context) };
    },
  };
}

function parseArgs<A>(kind: string, { name, args: schema }: StepDefinition<A>, args: Args): A {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  const { message } = explainIssue(
    result.error.issues,
    args,
    `args of transition ${kind} '${name}'`,
  );
  throw new WorkflowGraphError(message);
}
