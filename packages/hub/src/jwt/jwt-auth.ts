import { AuthError, isNetworkError, isOperatorRole } from "@colloquy/protocol";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import type { Authenticator, Credential } from "../auth/auth-registry.js";
import { requireSpeaksFor } from "../auth/speaks-for.js";
import { fetchBounded } from "./fetch-bounded.js";
import { completeJwtOptions, type JwtAuthOptions, type JwtSettings } from "./options.js";

const SCHEME = "jwt";
/** Longest token that is looked at, in characters. */
const MAX_TOKEN = 16_384;

/**
 * The scheme `jwt`: the claim's `token` is a token of an issuer that the hub trusts.
 *
 * Issuer, audience, expiry and an allowed algorithm are required; the issuer's keys are fetched when
 * they are needed and kept for a while. A binding ends with its token, `clockSkewMs` after its `exp`,
 * unless a fresh one is given before. Refusals are `AuthError`, and none shows the token.
 *
 * @throws InvalidInputError for an option that makes no sense
 */
export function createJwtAuth(options: JwtAuthOptions): Authenticator {
  const settings = completeJwtOptions(options);
  const keys = keysOf(settings);
  const read = (claim: Readonly<Record<string, unknown>>) => readToken(settings, keys, claim);
  const base: Authenticator = {
    scheme: SCHEME,
    async validate(passport, claim) {
      const credential = await read(claim);
      requireSpeaksFor(credential.principal, passport.name, SCHEME);
      return credential;
    },
  };
  return settings.operators ? { ...base, identify: read } : base;
}

function keysOf({ keys, cacheMs, cooldownMs, fetchTimeoutMs }: JwtSettings): JWTVerifyGetKey {
  if ("jwks" in keys) return createLocalJWKSet(keys.jwks);
  return createRemoteJWKSet(new URL(keys.url), {
    cacheMaxAge: cacheMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: fetchTimeoutMs,
    [customFetch]: fetchBounded,
  });
}

async function readToken(
  settings: JwtSettings,
  keys: JWTVerifyGetKey,
  claim: Readonly<Record<string, unknown>>,
): Promise<Credential> {
  const token = Object.hasOwn(claim, "token") ? claim["token"] : undefined;
  if (typeof token !== "string" || token === "") {
    throw new AuthError("jwt claim is missing required string field 'token'");
  }
  if (token.length > MAX_TOKEN) {
    throw new AuthError(`the token is longer than ${MAX_TOKEN} characters`);
  }
  const claims = await verify(settings, keys, token);
  const principal = settings.principalOf(claims);
  if (isOperatorRole(principal.role) && !settings.operators) {
    throw new AuthError("operators are not accepted by token here");
  }
  const expiresAt = Number(claims.exp) * 1_000 + settings.clockSkewMs;
  return { id: null, principal, expiresAt };
}

async function verify(
  { issuer, audience, algorithms, clockSkewMs, clock }: JwtSettings,
  keys: JWTVerifyGetKey,
  token: string,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: [...algorithms],
      clockTolerance: clockSkewMs / 1_000,
      // biome-ignore lint/style/noRestrictedGlobals: the library takes the Clock port's time in this form
      currentDate: new Date(clock.now()),
      requiredClaims: ["exp"],
    });
    return payload;
  } catch (error) {
    if (isNetworkError(error)) throw error;
    throw new AuthError(reasonOf(error));
  }
}

/** In the hub's own words: those of the library may repeat parts of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `the token's claim '${error.claim}' is not accepted`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return "the token's signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token's algorithm is not accepted";
  if (error instanceof errors.JWKSNoMatchingKey) return "the token's key is none of the issuer's";
  const isOfToken = error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid;
  if (isOfToken) return "the token is no signed JWT";
  return "the issuer's keys cannot be had; retry later";
}
