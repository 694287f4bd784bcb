import * as z from "zod";
import { accessRoleSchema } from "./access-role.js";

/** Schema of {@link Principal}. */
export const principalSchema = z.object({
  /** Of a participant: its agent's name. Of others: what audit records call them. */
  name: z.string(),
  role: accessRoleSchema,
  /** Of a service: globs of the names of the agents that it speaks for. Empty for other roles. */
  agents: z.array(z.string()),
});

/** Who stands behind a credential, and what that lets them do. */
export type Principal = Readonly<z.infer<typeof principalSchema>>;
