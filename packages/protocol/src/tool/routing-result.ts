/** A tool's result that hands the floor to a participant, by name or id. */
export interface Handoff {
  readonly routing: "handoff";
  readonly target: string;
  readonly reason: string;
}

/** A tool's result that ends the channel. */
export interface Finish {
  readonly routing: "finish";
  readonly reason: string;
  readonly summary: string;
}

/** Builds a {@link Handoff}; `reason` defaults to empty. */
export function handoff(target: string, reason = ""): Handoff {
  return { routing: "handoff", target, reason };
}

/** Builds a {@link Finish}; `summary` defaults to empty and `reason` to `finished`. */
export function finish(summary = "", reason = "finished"): Finish {
  return { routing: "finish", reason, summary };
}

/** True for a value made by {@link handoff}. */
export function isHandoff(value: unknown): value is Handoff {
  return hasRouting(value, "handoff") && typeof (value as Handoff).target === "string";
}

/** True for a value made by {@link finish}. */
export function isFinish(value: unknown): value is Finish {
  return hasRouting(value, "finish") && typeof (value as Finish).summary === "string";
}

function hasRouting(value: unknown, kind: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "routing") &&
    (value as { routing: unknown }).routing === kind
  );
}
