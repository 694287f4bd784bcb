import { AuthError, type Clock } from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
import type { Authenticator, Credential } from "../auth-registry.js";
import { requireSpeaksFor } from "../speaks-for.js";
import { type KeyRecord, keyStatus } from "./key-record.js";
import type { KeyRing } from "./key-ring.js";

type Claim = Readonly<Record<string, unknown>>;

/** Name of the scheme of API keys. */
export const SCHEME_API_KEY = "api_key";

/**
 * The scheme `api_key` over the keys that a hub keeps. A token that is none of them is put to the
 * authenticator of the embedder, if there is one for this scheme.
 */
export function createStoredKeyAuth(
  ring: KeyRing,
  clock: Clock,
  other: Authenticator | null,
): Authenticator {
  return {
    scheme: SCHEME_API_KEY,
    async validate(passport, claim) {
      const key = ring.find(tokenIn(claim));
      if (key !== null) {
        requireLive(key, clock.now());
        requireSpeaksFor(key, passport.name, SCHEME_API_KEY);
        return credentialOf(key);
      }
      const isKnown = ring.hasKeysFor(passport.name);
      if (other !== null && !isKnown) return other.validate(passport, claim);
      return other === null
        ? refuse(passport.name, isKnown)
        : other.validate(passport, claim).catch(() => refuse(passport.name, isKnown));
    },
    async identify(claim) {
      const key = ring.find(tokenIn(claim));
      if (key === null) {
        if (other?.identify !== undefined) return other.identify(claim);
        throw new AuthError("the api_key is not known");
      }
      requireLive(key, clock.now());
      return credentialOf(key);
    },
    stateOf(credentialId) {
      const key = ring.get(credentialId);
      if (key === null) return other?.stateOf?.(credentialId) ?? null;
      return { revoked: key.revoked_at !== null, expiresAt: key.expires_at };
    },
    watch(onChanged) {
      const stops = [ring.watch(onChanged), other?.watch?.(onChanged)];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
  };
}

function tokenIn(claim: Claim): string {
  const token = Object.hasOwn(claim, "token") ? claim["token"] : undefined;
  if (typeof token === "string" && token !== "") return token;
  throw new AuthError("api_key claim is missing required string field 'token'");
}

/** Only who holds the very key learns why it is refused. */
function requireLive(key: KeyRecord, now: number): void {
  const status = keyStatus(key, now);
  if (status === "active") return;
  const how = status === "revoked" ? "has been revoked" : "has expired";
  throw new AuthError(`the api_key of ${quote(key.name)} ${how}`);
}

function refuse(name: string, isKnown: boolean): never {
  throw new AuthError(
    isKnown ? `api_key mismatch for ${quote(name)}` : `no api_key registered for ${quote(name)}`,
  );
}

function credentialOf({ key_id, name, role, agents, expires_at }: KeyRecord): Credential {
  return { id: key_id, principal: { name, role, agents }, expiresAt: expires_at };
}
