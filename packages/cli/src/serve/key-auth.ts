import { hash } from "node:crypto";
import { type Authenticator, createApiKeyAuth } from "@colloquy/hub";

const DIGEST_PREFIX = "sha256:";

/**
 * The scheme `api_key` with keys from a configuration: each is the key itself, or `sha256:` and the
 * digest of the key in hex, so that a configuration need not hold keys.
 */
export function createKeyAuth(keys: Readonly<Record<string, string>>): Authenticator {
  const plain = new Map(Object.entries(keys).filter(([, key]) => !isDigest(key)));
  const digests = new Map(
    Object.entries(keys)
      .filter(([, key]) => isDigest(key))
      .map(([name, key]) => [name, key.slice(DIGEST_PREFIX.length).toLowerCase()]),
  );
  const byKey = createApiKeyAuth({ keys: Object.fromEntries(plain) });
  const byDigest = createApiKeyAuth({ keys: Object.fromEntries(digests) });
  return {
    scheme: byKey.scheme,
    async validate(passport, claim) {
      if (!digests.has(passport.name)) return await byKey.validate(passport, claim);
      const token = Object.hasOwn(claim, "token") ? claim["token"] : undefined;
      const isText = typeof token === "string" && token !== "";
      await byDigest.validate(passport, isText ? { token: hash("sha256", token) } : claim);
    },
  };
}

function isDigest(key: string): boolean {
  return key.startsWith(DIGEST_PREFIX);
}
