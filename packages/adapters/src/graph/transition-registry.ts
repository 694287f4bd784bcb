import { WorkflowGraphError } from "@colloquy/protocol";
import { builtInConditions } from "./conditions.js";
import type { BoundCondition, BoundTarget, ConditionType, TargetType } from "./step-types.js";
import { builtInTargets } from "./targets.js";
import type { ConditionSpec, TargetSpec } from "./transition-graph.js";

/** The conditions and targets that graphs may name. */
export interface TransitionRegistry {
  /** Throws `WorkflowGraphError` for an unknown name or wrong arguments. */
  condition(spec: ConditionSpec): BoundCondition;
  /** Throws `WorkflowGraphError` for an unknown name or wrong arguments. */
  target(spec: TargetSpec): BoundTarget;
}

/** Input of {@link createTransitionRegistry}. */
export interface TransitionRegistryOptions {
  /** Condition types beside the built-in ones. */
  readonly conditions?: readonly ConditionType[] | undefined;
  /** Target types beside the built-in ones. */
  readonly targets?: readonly TargetType[] | undefined;
}

/**
 * Makes a registry of the built-in conditions and targets and of one's own.
 *
 * @throws WorkflowGraphError when two of a kind have one name
 */
export function createTransitionRegistry(
  options: TransitionRegistryOptions = {},
): TransitionRegistry {
  const conditions = byName("condition", [...builtInConditions, ...(options.conditions ?? [])]);
  const targets = byName("target", [...builtInTargets, ...(options.targets ?? [])]);
  return {
    condition: (spec) => find("condition", conditions, spec.name).bind(spec.args),
    target: (spec) => find("target", targets, spec.name).bind(spec.args),
  };
}

/** The built-in conditions and targets. */
export const builtInRegistry: TransitionRegistry = createTransitionRegistry();

function byName<T extends { readonly name: string }>(
  kind: string,
  types: readonly T[],
): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const type of types) {
    if (map.has(type.name)) {
      throw new WorkflowGraphError(`two transition ${kind}s are named '${type.name}'`);
    }
    map.set(type.name, type);
  }
  return map;
}

function find<T>(kind: string, types: ReadonlyMap<string, T>, name: string): T {
  const type = types.get(name);
  if (type !== undefined) return type;
  const known = [...types.keys()].sort().join(", ");
  throw new WorkflowGraphError(
    `no transition ${kind} registered for '${name}'; known ones are ${known}`,
  );
}
