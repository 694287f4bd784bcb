import { AuthError, accessRoleSchema, type Principal } from "@colloquy/protocol";

const ROLE_CLAIM = "colloquy_role";
const AGENTS_CLAIM = "colloquy_agents";

/**
 * Who a token stands for: see `JwtAuthOptions.principalOf`.
 *
 * @throws AuthError that names the claim
 */
export function principalFromClaims(
  claims: Readonly<Record<string, unknown>>,
  nameClaim: string,
): Principal {
  const own = (claim: string): unknown =>
    Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const name = own(nameClaim);
  if (typeof name !== "string" || name === "") throw notAccepted(nameClaim);
  const role = accessRoleSchema.safeParse(own(ROLE_CLAIM) ?? "participant");
  if (!role.success) throw notAccepted(ROLE_CLAIM);
  const agents = own(AGENTS_CLAIM) ?? [];
  const isList = Array.isArray(agents) && agents.every((glob) => typeof glob === "string");
  if (!isList) throw notAccepted(AGENTS_CLAIM);
  return { name, role: role.data, agents: role.data === "service" ? (agents as string[]) : [] };
}

function notAccepted(claim: string): AuthError {
  return new AuthError(`the token's claim '${claim}' is not accepted`);
}
