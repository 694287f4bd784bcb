import { isNetworkError } from "@colloquy/protocol";

/** What a scheme needs to prove an identity, such as `{ key: "…" }`. */
export type AuthClaim = Readonly<Record<string, unknown>>;

/**
 * Supplies the credential of a participant. It is asked anew for every attempt, so that it can give
 * a fresh one when the last has expired.
 */
export type CredentialSupplier = (name: string) => AuthClaim | Promise<AuthClaim>;

/** Claims to offer until one is accepted or none is left to try. */
export interface ClaimSource {
  /** The claim for the next attempt; null when it would be the very claim that was refused last. */
  next(): Promise<AuthClaim | null>;
  /** The claim that `next` gave last was refused. */
  refused(): void;
}

/**
 * Makes a {@link ClaimSource} for one binding of one participant.
 *
 * @param auth - scheme of the participant, and the claim it was given here; scheme `none` needs no supplier
 */
export function createClaimSource(
  name: string,
  auth: { readonly scheme: string; readonly claim: AuthClaim },
  supplier: CredentialSupplier | undefined,
): ClaimSource {
  const asked = auth.scheme === "none" ? undefined : supplier;
  let offered = auth.claim;
  let refusedText: string | null = null;
  return {
    async next() {
      if (asked !== undefined) offered = await asked(name);
      return JSON.stringify(offered) === refusedText ? null : offered;
    },
    refused() {
      refusedText = JSON.stringify(offered);
    },
  };
}

/**
 * Offers claims until one is accepted. Rejects with the refusal of the last one when no other is
 * left, and at once with any other failure.
 */
export async function offerClaims<T>(
  claims: ClaimSource,
  attempt: (claim: AuthClaim) => Promise<T>,
): Promise<T> {
  let refusal: unknown = null;
  for (;;) {
    const claim = await claims.next();
    if (claim === null) throw refusal;
    try {
      return await attempt(claim);
    } catch (error) {
      if (!isNetworkError(error) || error.code !== "auth_failed") throw error;
      refusal = error;
      claims.refused();
    }
  }
}
