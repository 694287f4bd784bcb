import {
  type Clock,
  createSystemClock,
  describeKind,
  InvalidInputError,
  type Principal,
} from "@colloquy/protocol";
import type { JSONWebKeySet } from "jose";
import { principalFromClaims } from "./principal-from-claims.js";

/** Claims of a token whose signature, issuer, audience and times have been checked. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** Where the issuer's public keys are. */
export type JwtKeys =
  /** An address that gives a JWKS: `https:`, or `http:` on this machine. */
  | { readonly url: string }
  /** The JWKS itself. */
  | { readonly jwks: JSONWebKeySet };

/** Options of `createJwtAuth`. */
export interface JwtAuthOptions {
  /** `iss` that a token must have. */
  readonly issuer: string;
  /** `aud` that a token must have, or one of several. */
  readonly audience: string | readonly string[];
  readonly keys: JwtKeys;
  /** Signature algorithms that are accepted; default RS256, PS256, ES256 and EdDSA. Symmetric ones and `none` never are. */
  readonly algorithms?: readonly string[] | undefined;
  /** Milliseconds by which the clocks of issuer and hub may differ; default 30,000, at most 300,000. */
  readonly clockSkewMs?: number | undefined;
  /** Claim that holds the name of the agent, service or operator; default `sub`. Not used with `principalOf`. */
  readonly nameClaim?: string | undefined;
  /**
   * Tells who a token stands for. Default: the name from `nameClaim`, the role from the claim
   * `colloquy_role` (`participant` where there is none), a service's globs from `colloquy_agents`.
   * Throw `AuthError` to refuse.
   */
  readonly principalOf?: ((claims: JwtClaims) => Principal) | undefined;
  /** Accepts operators by tokens too; default false: then only agents and services. */
  readonly operators?: boolean | undefined;
  /** Milliseconds that fetched keys are used before they are fetched again; default 600,000. */
  readonly cacheMs?: number | undefined;
  /** Least milliseconds between two fetches, so that tokens with unknown keys cannot make the hub ask without end; default 30,000. */
  readonly cooldownMs?: number | undefined;
  /** Milliseconds that one fetch may take; default 5,000. */
  readonly fetchTimeoutMs?: number | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** {@link JwtAuthOptions}, checked and with every default in place. */
export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string[];
  readonly keys: JwtKeys;
  readonly algorithms: readonly string[];
  readonly clockSkewMs: number;
  readonly principalOf: (claims: JwtClaims) => Principal;
  readonly operators: boolean;
  readonly cacheMs: number;
  readonly cooldownMs: number;
  readonly fetchTimeoutMs: number;
  readonly clock: Clock;
}

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
/** Public-key signatures; with a shared secret whoever checks could also sign. */
const ASYMMETRIC = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/;
const MAX_SKEW_MS = 300_000;

/**
 * Checks options and fills in their defaults.
 *
 * @throws InvalidInputError that names the option
 */
export function completeJwtOptions(options: JwtAuthOptions): JwtSettings {
  const { issuer, audience, keys, nameClaim = "sub" } = options;
  const audiences = typeof audience === "string" ? [audience] : [...(audience ?? [])];
  if (!isText(issuer)) throw wrong("issuer", issuer, "Name the issuer whose tokens count.");
  if (audiences.length === 0 || !audiences.every(isText)) {
    throw wrong("audience", audience, "Name the audience that tokens are made for: this hub.");
  }
  const algorithms = options.algorithms ?? ALGORITHMS;
  if (algorithms.length === 0 || !algorithms.every((name) => ASYMMETRIC.test(name))) {
    throw wrong("algorithms", algorithms, "Give algorithms with public keys, such as ES256.");
  }
  if ("url" in keys) requireSafeUrl(keys.url);
  return {
    issuer,
    audience: audiences,
    keys,
    algorithms,
    clockSkewMs: span("clockSkewMs", options.clockSkewMs ?? 30_000, MAX_SKEW_MS),
    principalOf: options.principalOf ?? ((claims) => principalFromClaims(claims, nameClaim)),
    operators: options.operators ?? false,
    cacheMs: span("cacheMs", options.cacheMs ?? 600_000),
    cooldownMs: span("cooldownMs", options.cooldownMs ?? 30_000),
    fetchTimeoutMs: span("fetchTimeoutMs", options.fetchTimeoutMs ?? 5_000),
    clock: options.clock ?? createSystemClock({ unref: true }),
  };
}

/** Whoever can change the keys on their way can sign anything. */
function requireSafeUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? "");
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return;
  throw wrong("keys.url", text, "Give an https address, or an http one on this machine.");
}

function span(option: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isFinite(value) && value >= 0 && value <= most) return value;
  throw wrong(option, value, `Give a number of milliseconds from 0 to ${most}.`);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function wrong(field: string, value: unknown, remedy: string): InvalidInputError {
  const received = describeKind(value);
  return new InvalidInputError(`jwt, option ${field}: ${remedy}`, { field, received, remedy });
}
