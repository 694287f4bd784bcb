import { hash, timingSafeEqual } from "node:crypto";

/** A key is `cq_`, its id, `_`, and a secret of 256 bits or more. The start lets scanners of leaked secrets find it. */
const FORM = /^cq_([0-9a-f]{32})_[A-Za-z0-9_-]{32,}$/;

/** The whole key of an id and a secret. */
export function formKey(keyId: string, secret: string): string {
  return `cq_${keyId}_${secret}`;
}

/** Id of the key that a token claims to be; null for a token of another form. */
export function keyIdOf(token: string): string | null {
  return FORM.exec(token)?.[1] ?? null;
}

/** What is shown of a key. */
export function maskKey(keyId: string): string {
  return `cq_${keyId}_…`;
}

/**
 * Digest of a key, as it is stored.
 *
 * One round of SHA-256 is enough, because the secret is made by the hub and has 256 bits: there is
 * nothing to guess. A slow hash would only help against words that people choose.
 */
export function digestKey(token: string): string {
  return hash("sha256", token);
}

/** Compares in a time that says nothing about either. */
export function isSameDigest(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, "hex"), Buffer.from(b, "hex"));
}
