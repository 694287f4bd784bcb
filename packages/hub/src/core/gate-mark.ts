const gates = new WeakMap<object, string>();

/** Notes which check an error, or a verdict, comes from; gives it back. */
export function markGate<T extends object>(outcome: T, gate: string): T {
  gates.set(outcome, gate);
  return outcome;
}

/** The check that {@link markGate} noted last. */
export function gateOf(outcome: unknown): string | undefined {
  return typeof outcome === "object" && outcome !== null ? gates.get(outcome) : undefined;
}
