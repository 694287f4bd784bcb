import { AuthError, matchesAny, type Principal } from "@colloquy/protocol";
import { quote } from "../core/quote.js";

/**
 * Requires that a principal may speak for the agent of a name: a participant for its own, a service
 * for those that fit its globs, an operator for none.
 *
 * @param what - begins the sentence of the refusal, such as `api_key`
 * @throws AuthError
 */
export function requireSpeaksFor(principal: Principal, name: string, what: string): void {
  const { role, agents } = principal;
  if (role === "participant" && principal.name === name) return;
  if (role === "service" && matchesAny(agents, name)) return;
  if (role === "participant") throw new AuthError(`${what} mismatch for ${quote(name)}`);
  if (role === "service") {
    throw new AuthError(`${what} of a service whose patterns leave out ${quote(name)}`);
  }
  throw new AuthError(`${what} of an operator, which speaks for no agent`);
}
