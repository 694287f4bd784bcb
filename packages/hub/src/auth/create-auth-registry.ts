import { AuthError } from "@colloquy/protocol";
import type { Authenticator, AuthRegistry } from "./auth-registry.js";

/**
 * Gathers the schemes that a hub accepts.
 *
 * @param authenticators - one per scheme, in the order in which `schemes` lists them
 * @throws TypeError when two of them answer to the same scheme
 */
export function createAuthRegistry(authenticators: readonly Authenticator[]): AuthRegistry {
  const byScheme = new Map<string, Authenticator>();
  for (const authenticator of authenticators) {
    const { scheme } = authenticator;
    if (byScheme.has(scheme)) throw new TypeError(`auth scheme '${scheme}' is listed twice`);
    byScheme.set(scheme, authenticator);
  }
  return {
    schemes: [...byScheme.keys()],
    get(scheme) {
      const found = byScheme.get(scheme);
      if (found === undefined) throw new AuthError(`unknown auth scheme '${scheme}'`);
      return found;
    },
  };
}
