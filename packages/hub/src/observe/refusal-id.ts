import { isNetworkError } from "@colloquy/protocol";

const idOf = new WeakMap<Error, string>();

/** The id under which an error was recorded as a refusal; undefined when it was not. */
export function refusalIdOf(error: unknown): string | undefined {
  return error instanceof Error ? idOf.get(error) : undefined;
}

/**
 * Ties an error to its refusal; an error of the network family also says so in its details.
 *
 * @returns the error to hand on: the given one, or a copy of one that may be another's as well
 */
export function withRefusalId(error: Error, refusalId: string): Error {
  const own = idOf.has(error) || Object.isFrozen(error) ? copyError(error) : error;
  idOf.set(own, refusalId);
  if (isNetworkError(own)) {
    const details = { ...own.details, refusal_id: refusalId };
    Object.defineProperty(own, "details", { value: details, configurable: true, writable: true });
  }
  return own;
}

/** An error of the same class with the same text, cause and stack. */
function copyError(error: Error): Error {
  const fields = Object.getOwnPropertyDescriptors(error);
  const open = Object.entries(fields).map(([name, field]) => [
    name,
    { ...field, configurable: true },
  ]);
  const stack = { value: error.stack, configurable: true, writable: true };
  const all = { ...Object.fromEntries(open), stack };
  return Object.create(Object.getPrototypeOf(error), all) as Error;
}
