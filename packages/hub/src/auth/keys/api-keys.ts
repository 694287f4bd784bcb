import type { AccessRole, ApiKeyInfo, IssuedApiKey } from "@colloquy/protocol";

/** What a new key is for. */
export interface IssueKey {
  /** Of a participant: the very name of its agent. Of others: what audit records call them. */
  readonly name: string;
  /** Default `participant`. */
  readonly role?: AccessRole | undefined;
  /** For role `service` alone: globs of agents' names, at least one. */
  readonly agents?: readonly string[] | undefined;
  /** A remark, at most 200 characters. */
  readonly label?: string | undefined;
  /** Milliseconds until it expires; null, the default, for never. */
  readonly ttlMs?: number | null | undefined;
}

/** How a key is replaced. */
export interface RotateKey {
  /** Milliseconds that the old key goes on; default a day, 0 ends it at once. It never lives longer than it would have. */
  readonly overlapMs?: number | undefined;
  /** Milliseconds until the new key expires; null, the default, for never. */
  readonly ttlMs?: number | null | undefined;
}

/**
 * The API keys that a hub keeps: the scheme `api_key` accepts them.
 *
 * Everything is durable when its promise resolves, and counts from then on: a binding that a key
 * has made ends with the key. `by` names who asked, for the audit log; default `embedder`.
 */
export interface ApiKeys {
  /** Issues a key; the answer holds the only copy of its secret. Throws `InvalidInputError`, `UnavailableError` when there are too many. */
  issue(input: IssueKey, by?: string): Promise<IssuedApiKey>;
  /** Issues a key of the same principal in place of another one. Throws `NotFoundError`, `ProtocolError` for a key that is over. */
  rotate(keyId: string, input?: RotateKey, by?: string): Promise<IssuedApiKey>;
  /** Ends a key at once; one that was revoked before stays so. Throws `NotFoundError`. */
  revoke(keyId: string, by?: string): Promise<ApiKeyInfo>;
  /** Every key, in the order of issue, or those of a name; secrets are masked. */
  list(name?: string | null): readonly ApiKeyInfo[];
}
