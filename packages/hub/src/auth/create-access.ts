import type { Clock, IdSource, Logger, SecretSource } from "@colloquy/protocol";
import type { Authenticator, AuthRegistry } from "./auth-registry.js";
import { createAuthRegistry } from "./create-auth-registry.js";
import { createKeyRing, type KeyRing, type KeyRingPorts } from "./keys/key-ring.js";
import { createStoredKeyAuth, SCHEME_API_KEY } from "./keys/stored-key-auth.js";
import { createOperatorGate, type OperatorGate } from "./operator-gate.js";

/** Who gets in, and what they may do: the parts of a hub that know. */
export interface Access {
  readonly auth: AuthRegistry;
  readonly keys: KeyRing;
  readonly operators: OperatorGate;
}

/** Input of {@link createAccess}. */
export interface AccessPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secrets: SecretSource;
  readonly logger: Logger;
  readonly limits: { readonly maxApiKeys: number };
  /** Of the embedder, one per scheme. */
  readonly authenticators: readonly Authenticator[];
  /** See `HubOptions.operatorOnLoopback`. */
  readonly trustsLoopback: boolean;
  /** See `KeyRingPorts.write`. */
  write: KeyRingPorts["write"];
}

/**
 * Makes the {@link Access} of a hub. The scheme `api_key` is always there, over the keys that the
 * hub keeps; without a key it lets nobody in.
 */
export function createAccess(ports: AccessPorts): Access {
  const { clock, logger, authenticators } = ports;
  const keys = createKeyRing({ ...ports, maxKeys: ports.limits.maxApiKeys });
  const given = authenticators.find(({ scheme }) => scheme === SCHEME_API_KEY) ?? null;
  const stored = createStoredKeyAuth(keys, clock, given);
  const listed = authenticators.map((one) => (one === given ? stored : one));
  const auth = createAuthRegistry(given === null ? [...listed, stored] : listed);
  const operators = createOperatorGate({
    auth,
    logger,
    trustsLoopback: ports.trustsLoopback,
    hasOperatorsBy: (scheme) =>
      scheme !== SCHEME_API_KEY || keys.hasOperators || given?.identify !== undefined,
  });
  return { auth, keys, operators };
}
