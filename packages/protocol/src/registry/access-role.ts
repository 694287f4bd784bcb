import * as z from "zod";

/** What a credential may be used for, from least to most; see {@link AccessRole}. */
export const ACCESS_ROLES = ["participant", "service", "read_operator", "operator"] as const;

/** Schema of {@link AccessRole}. */
export const accessRoleSchema = z.enum(ACCESS_ROLES);

/**
 * What the holder of a credential may do.
 *
 * `participant`: speak for the agent of the credential's own name. `service`: speak for every agent
 * whose name fits one of the credential's globs. `read_operator`: see everything and change nothing.
 * `operator`: see and change everything. An operator is no participant: its credential speaks for no agent.
 */
export type AccessRole = z.infer<typeof accessRoleSchema>;

/** True for the two roles that have rights over the whole hub. */
export function isOperatorRole(role: AccessRole): role is "operator" | "read_operator" {
  return role === "operator" || role === "read_operator";
}
