import type { IncomingMessage } from "node:http";
import { InvalidInputError, type Principal } from "@colloquy/protocol";
import type { OperatorAccess } from "../auth/operator-gate.js";
import type { Hub } from "../hub.js";
import { isFromLoopback, isLoopbackHost } from "./loopback.js";

/** The part of a hub that knows its operators. */
export type GatedHub = Pick<Hub, "operators">;

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Tells which operator an HTTP request comes from, by its bearer token.
 *
 * A request without a token passes only where the hub trusts this machine, and then only from this
 * machine, through no proxy and from no browser page: a page of anybody's may send requests to
 * loopback addresses, and always with an `Origin` or a `Sec-Fetch-Site`.
 *
 * @returns the operator
 * @throws AuthError (answer 401) without a token that counts, AccessDeniedError (answer 403) for one
 *   that is no operator's or may only read
 */
export function authorizeRequest(
  hub: GatedHub,
  request: IncomingMessage,
  access: OperatorAccess,
): Promise<Principal> {
  const { authorization, origin } = request.headers;
  const isFromPage = origin !== undefined || request.headers["sec-fetch-site"] !== undefined;
  const loopback =
    authorization === undefined && !isFromPage && isFromLoopback(request) && hasLocalHost(request);
  return hub.operators.authorize({ token: tokenOf(authorization), loopback }, access);
}

/**
 * Requires that an operators' surface may listen on an address: beyond this machine only when
 * somebody can show an operator's credential.
 *
 * @param setting - name of the setting that chose the host, for the message
 * @throws InvalidInputError that names the setting
 */
export function requireOperatorHost(hub: GatedHub, host: string, setting = "host"): void {
  if (isLoopbackHost(host) || hub.operators.hasOperators) return;
  const remedy =
    "Listen on 127.0.0.1, or issue a key first: `colloquy keys add --role operator --name <name>`.";
  throw new InvalidInputError(
    `${setting}: '${host}' is reachable from elsewhere and no operator has a credential. ${remedy}`,
    { field: setting, received: "address beyond this machine", remedy },
  );
}

/** A header of another form is a token that nobody has: it must not count as no token. */
function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  return BEARER.exec(authorization)?.[1] ?? "";
}

/** A name of somebody else's may resolve to this machine; then a page behind it is no local program. */
function hasLocalHost({ headers }: IncomingMessage): boolean {
  const host = headers.host ?? "";
  return URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname);
}
