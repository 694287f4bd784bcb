import { ALLOW, type Arbiter, NOBODY } from "./arbiter.js";

/**
 * An arbiter that allows everything, rules and inbox limits included; ids that nobody has are left
 * out. For tests, and as a base for one's own: `composeArbiter(createAllowAllArbiter(), gates)`.
 */
export function createAllowAllArbiter(): Arbiter {
  return {
    authorizeRegister: () => ALLOW,
    authorizeChannelOpen: () => ALLOW,
    authorizeSend: () => ALLOW,
    authorizeRate: () => ALLOW,
    resolveUnknownAudience: () => NOBODY,
    authorizeInbox: () => ALLOW,
    authorizeDispatch: () => ALLOW,
    authorizeMembership: () => ALLOW,
    authorizeTask: () => ALLOW,
  };
}
