import { AuthError, isNetworkError, type Logger, type Passport } from "@colloquy/protocol";
import { quote } from "../core/quote.js";
import type { AuthRegistry, Credential } from "./auth-registry.js";

/** What checking a claim needs of a hub. */
export interface ClaimPorts {
  readonly auth: AuthRegistry;
  readonly logger: Logger;
}

type Claim = Readonly<Record<string, unknown>>;

/**
 * Checks a claim for an agent by its scheme. Whatever an authenticator throws becomes an error of
 * the family without a secret in it.
 *
 * @returns what was proven; null for a scheme whose claims have no end
 * @throws AuthError
 */
export async function checkClaim(
  ports: ClaimPorts,
  passport: Passport,
  scheme: string,
  claim: Claim,
): Promise<Credential | null> {
  const authenticator = ports.auth.get(scheme);
  const proven = await guarded(ports, scheme, claim, () => authenticator.validate(passport, claim));
  return proven ?? null;
}

/**
 * Tells who stands behind a claim that names no agent.
 *
 * @throws AuthError
 */
export async function identifyClaim(
  ports: ClaimPorts,
  scheme: string,
  claim: Claim,
): Promise<Credential> {
  const authenticator = ports.auth.get(scheme);
  if (authenticator.identify === undefined) {
    throw new AuthError(`auth scheme ${quote(scheme)} knows agents only, no operators`);
  }
  const { identify } = authenticator;
  return guarded(ports, scheme, claim, () => identify.call(authenticator, claim));
}

async function guarded<T>(
  { logger }: ClaimPorts,
  scheme: string,
  claim: Claim,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isNetworkError(error)) throw withoutSecrets(error, claim);
    const fault = hideSecrets(error instanceof Error ? error.message : String(error), claim);
    logger.error({ scheme, fault }, "an authenticator failed");
    throw new AuthError(
      "the claim could not be checked; whoever runs the hub finds why in its log",
    );
  }
}

/** An authenticator of somebody else's may repeat the claim that it refuses. */
function withoutSecrets(error: Error, claim: Claim): Error {
  const shown = hideSecrets(error.message, claim);
  return shown === error.message ? error : new AuthError(shown);
}

/** Shortest text of a claim that is looked for; a shorter one would hide parts of ordinary words. */
const SHORTEST_SECRET = 4;

function hideSecrets(text: string, claim: Claim): string {
  return textsIn(claim).reduce((shown, secret) => shown.replaceAll(secret, "(hidden)"), text);
}

/** Every text of a claim, longest first, so that none survives as the rest of another. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length < SHORTEST_SECRET ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const texts = Object.values(value).flatMap(textsIn);
  return texts.sort((a, b) => b.length - a.length);
}
