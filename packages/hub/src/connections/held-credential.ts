import type { Credential } from "../auth/auth-registry.js";

/** What somebody on a connection has proven itself with. */
export interface HeldCredential {
  readonly scheme: string;
  readonly credential: Credential;
}
