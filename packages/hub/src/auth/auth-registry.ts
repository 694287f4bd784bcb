import type { Passport, Principal } from "@colloquy/protocol";

/** What a claim has proven: who stands behind it, and until when. */
export interface Credential {
  /** Id under which its scheme can end it early; null when it cannot. No secret. */
  readonly id: string | null;
  readonly principal: Principal;
  /** Instant from which it counts no more, as epoch milliseconds; null for none. */
  readonly expiresAt: number | null;
}

/** How a credential stands now. */
export interface CredentialState {
  readonly revoked: boolean;
  /** See {@link Credential.expiresAt}; it may have moved. */
  readonly expiresAt: number | null;
}

/**
 * One way to prove an identity. The port for schemes of your own; only `scheme` and `validate` are needed.
 *
 * Throw `AuthError` to refuse; its message reaches the refused side, so it must hold no secret.
 * Anything else that is thrown refuses as well, and its text stays in the hub.
 */
export interface Authenticator {
  readonly scheme: string;
  /**
   * Checks that a claim may speak for the agent of a passport. May ask elsewhere.
   *
   * @returns what was proven, so that its end ends the binding; nothing for a claim without an end. An
   *   authenticator that only refuses is an async function without a return.
   */
  validate(
    passport: Passport,
    claim: Readonly<Record<string, unknown>>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return is meant
  ): Promise<Credential | void>;
  /** Tells who stands behind a claim that names no agent. Absent: nobody is an operator by this scheme. */
  identify?(claim: Readonly<Record<string, unknown>>): Promise<Credential>;
  /** How a credential of this scheme stands now; null when it is not known. Absent: only its expiry ends it. */
  stateOf?(credentialId: string): CredentialState | null;
  /** Calls back, with its id, when a credential's state has changed; returns how to stop. */
  watch?(onChanged: (credentialId: string) => void): () => void;
}

/** The schemes that a hub accepts. */
export interface AuthRegistry {
  /** Throws `AuthError` for an unknown scheme. */
  get(scheme: string): Authenticator;
  readonly schemes: readonly string[];
}
