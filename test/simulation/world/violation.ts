/** A promise of the system was broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** Throws a {@link Violation} unless the condition holds. */
export function require(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Violation(message());
}
