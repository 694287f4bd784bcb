import type { Passport } from "./passport.js";

/**
 * A passport as others may see it: same shape, with an empty `auth.claim`.
 *
 * Everything that the hub gives out, logs or audits goes through here.
 *
 * @param passport - a passport, secret included; it is not changed
 */
export function publicPassport(passport: Passport): Passport {
  return { ...passport, auth: { ...passport.auth, claim: {} } };
}
