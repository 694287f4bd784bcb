import type { Passport } from "@colloquy/protocol";

/** Checks a claim of one scheme. Throws `AuthError` to refuse; may ask elsewhere. */
export interface Authenticator {
  readonly scheme: string;
  validate(passport: Passport, claim: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The schemes that a hub accepts. */
export interface AuthRegistry {
  /** Throws `AuthError` for an unknown scheme. */
  get(scheme: string): Authenticator;
  readonly schemes: readonly string[];
}
