import { hash, timingSafeEqual } from "node:crypto";
import { AuthError } from "@colloquy/protocol";
import type { Authenticator } from "./auth-registry.js";

/** Where {@link createApiKeyAuth} finds an agent's key. */
export interface ApiKeyOptions {
  /** Agent name to key. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Asked once per attempt for a name that `keys` does not hold; null is "no key". May ask elsewhere. */
  readonly resolver?: ((name: string) => string | null | Promise<string | null>) | undefined;
}

/**
 * The scheme `api_key`: the claim's `token` must be the key of the passport's name.
 *
 * Keys are compared by digest in constant time. `validate` throws `AuthError` for a claim without
 * a token, for a name without a key, for another key, and when the resolver fails; none of these
 * messages shows a key.
 */
export function createApiKeyAuth({ keys = {}, resolver }: ApiKeyOptions): Authenticator {
  const lookUp = async (name: string): Promise<string | null> => {
    if (Object.hasOwn(keys, name)) return keys[name] ?? null;
    try {
      return (await resolver?.(name)) ?? null;
    } catch (error) {
      throw new AuthError(`the api_key of '${name}' cannot be looked up`, { cause: error });
    }
  };
  return {
    scheme: "api_key",
    async validate({ name }, claim) {
      const token = Object.hasOwn(claim, "token") ? claim["token"] : undefined;
      if (typeof token !== "string" || token === "") {
        throw new AuthError("api_key claim is missing required string field 'token'");
      }
      const expected = await lookUp(name);
      if (!expected) throw new AuthError(`no api_key registered for '${name}'`);
      if (!sameText(token, expected)) throw new AuthError(`api_key mismatch for '${name}'`);
    },
  };
}

/** Digests have one length, so the time says nothing about either text. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}
