import { ALLOW, type Arbiter } from "./arbiter.js";

/**
 * An arbiter that allows everything, rules and inbox limits included. For tests, and as a base for
 * one's own: `{ ...createAllowAllArbiter(), authorizeSend }`.
 */
export function createAllowAllArbiter(): Arbiter {
  return {
    authorizeRegister: () => ALLOW,
    authorizeChannelOpen: () => ALLOW,
    authorizeSend: () => ALLOW,
    authorizeInbox: () => ALLOW,
    authorizeDispatch: () => ALLOW,
    authorizeMembership: () => ALLOW,
  };
}
