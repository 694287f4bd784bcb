import {
  AccessDeniedError,
  AuthError,
  isOperatorRole,
  type Logger,
  type Principal,
} from "@colloquy/protocol";
import { markGate } from "../core/gate-mark.js";
import { quote } from "../core/quote.js";
import type { AuthRegistry, Credential } from "./auth-registry.js";
import { identifyClaim } from "./check-claim.js";

/** What an operator wants to do: look, or change something. */
export type OperatorAccess = "read" | "write";

/** What somebody shows who wants to act as an operator outside of a connection. */
export interface OperatorProof {
  /** The bearer token; null for none. */
  readonly token: string | null;
  /** True when the request comes from this machine, not through a proxy, and from no browser page. */
  readonly loopback: boolean;
}

/** Decides who is an operator. */
export interface OperatorGate {
  /**
   * Tells who a token belongs to, whatever the scheme, and that they may do this.
   *
   * @throws AuthError without a credential that counts, AccessDeniedError for one that is no operator's or may only read
   */
  authorize(proof: OperatorProof, access: OperatorAccess): Promise<Principal>;
  /** {@link OperatorGate.authorize} for a claim of a named scheme, giving the credential for a connection to keep. */
  authenticate(
    scheme: string,
    claim: Readonly<Record<string, unknown>>,
    loopback: boolean,
  ): Promise<Credential>;
  /** True if somebody could show a credential that is accepted. */
  readonly hasOperators: boolean;
}

/** What {@link createOperatorGate} works on. */
export interface OperatorGatePorts {
  readonly auth: AuthRegistry;
  readonly logger: Logger;
  /** True: whoever is on this machine is an operator without showing anything. */
  readonly trustsLoopback: boolean;
  /** Tells whether a scheme can know an operator at this time. */
  hasOperatorsBy(scheme: string): boolean;
}

/** Who a program on this machine is, where that is enough. */
const LOCAL_OPERATOR: Credential = {
  id: null,
  principal: { name: "local", role: "operator", agents: [] },
  expiresAt: null,
};

const REMEDY = "show an operator's key: `colloquy keys add --role operator` issues one";

/** Makes an {@link OperatorGate}. */
export function createOperatorGate(ports: OperatorGatePorts): OperatorGate {
  const schemes = (): string[] =>
    ports.auth.schemes.filter((scheme) => ports.auth.get(scheme).identify !== undefined);
  const identify = async (token: string): Promise<Credential> => {
    for (const scheme of schemes()) {
      try {
        return await identifyClaim(ports, scheme, { token });
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
      }
    }
    throw new AuthError(`the token is not accepted; ${REMEDY}`);
  };
  return {
    async authorize({ token, loopback }, access) {
      if (token === null && loopback && ports.trustsLoopback) return LOCAL_OPERATOR.principal;
      if (token === null) throw new AuthError(`this is for operators; ${REMEDY}`);
      const { principal } = await identify(token);
      requireOperatorRole(principal, access);
      return principal;
    },
    async authenticate(scheme, claim, loopback) {
      if (scheme === "none" && loopback && ports.trustsLoopback) return LOCAL_OPERATOR;
      const credential = await identifyClaim(ports, scheme, claim);
      requireOperatorRole(credential.principal, "read");
      return credential;
    },
    get hasOperators() {
      return schemes().some((scheme) => ports.hasOperatorsBy(scheme));
    },
  };
}

/**
 * Requires that a principal is an operator and may do this.
 *
 * @throws AccessDeniedError
 */
export function requireOperatorRole({ name, role }: Principal, access: OperatorAccess): void {
  if (!isOperatorRole(role)) {
    const message = `${quote(name)} is a ${role}, and this is for operators`;
    throw markGate(new AccessDeniedError(message), "operator");
  }
  if (access === "write" && role !== "operator") {
    const message = `operator ${quote(name)} may look and change nothing`;
    throw markGate(new AccessDeniedError(message), "operator");
  }
}
