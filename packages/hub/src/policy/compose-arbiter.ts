import type { Arbiter, Gate } from "./arbiter.js";

/** Some of the gates. */
type Gates = { readonly [G in Gate]?: Arbiter[G] | undefined };

const GATES: readonly Gate[] = [
  "authorizeRegister",
  "authorizeChannelOpen",
  "authorizeSend",
  "authorizeRate",
  "resolveUnknownAudience",
  "authorizeInbox",
  "authorizeDispatch",
  "authorizeMembership",
  "authorizeTask",
];

/**
 * An arbiter with one's own gates, and those of a base for the rest.
 *
 * @param base - `createRuleArbiter()` keeps every agent to its rule, `createAllowAllArbiter()` allows
 *   everything, or one's own
 * @param gates - gates in place of the base's; an absent or undefined one leaves the base's. Each is
 *   called with its own object as `this`
 * @throws TypeError for a gate that is no function, and for a function that is no gate
 */
export function composeArbiter(base: Arbiter, gates: Gates): Arbiter {
  checkGates(gates);
  const membership = gates.authorizeMembership?.bind(gates) ?? base.authorizeMembership?.bind(base);
  return {
    authorizeRegister: gates.authorizeRegister?.bind(gates) ?? base.authorizeRegister.bind(base),
    authorizeChannelOpen:
      gates.authorizeChannelOpen?.bind(gates) ?? base.authorizeChannelOpen.bind(base),
    authorizeSend: gates.authorizeSend?.bind(gates) ?? base.authorizeSend.bind(base),
    authorizeRate: gates.authorizeRate?.bind(gates) ?? base.authorizeRate.bind(base),
    resolveUnknownAudience:
      gates.resolveUnknownAudience?.bind(gates) ?? base.resolveUnknownAudience.bind(base),
    authorizeInbox: gates.authorizeInbox?.bind(gates) ?? base.authorizeInbox.bind(base),
    authorizeDispatch: gates.authorizeDispatch?.bind(gates) ?? base.authorizeDispatch.bind(base),
    ...(membership === undefined ? {} : { authorizeMembership: membership }),
    authorizeTask: gates.authorizeTask?.bind(gates) ?? base.authorizeTask.bind(base),
  };
}

/** A misspelt gate would leave the base's in force, and nobody would notice. */
function checkGates(gates: Gates): void {
  for (const gate of GATES) {
    const given: unknown = gates[gate];
    if (given === undefined || typeof given === "function") continue;
    throw new TypeError(`gate ${gate} must be a function, got ${typeof given}`);
  }
  for (const [name, value] of Object.entries(gates)) {
    if (typeof value !== "function" || GATES.some((gate) => gate === name)) continue;
    throw new TypeError(`there is no gate '${name}'; there are ${GATES.join(", ")}`);
  }
}
