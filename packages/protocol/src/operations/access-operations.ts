import * as z from "zod";
import { accessRoleSchema } from "../registry/access-role.js";
import { apiKeyInfoSchema, issuedApiKeySchema } from "../registry/api-key.js";
import { principalSchema } from "../registry/principal.js";
import { jsonObject, nullableParam, optionalParam } from "./optional-param.js";

const byKey = z.object({ key_id: z.string() });

/** How long a rotated key goes on when nobody says: a day, in seconds. */
export const DEFAULT_OVERLAP_S = 86_400;

/** ISO time at which a credential ends; null for never. */
const endsAt = z.string().nullable();

/** Operations on credentials, of `colloquy.v1` alone: who stands behind a connection, and the hub's API keys. */
export const accessOperations = {
  /** Makes the connection that of an operator. It stays free to speak for agents as well. */
  authenticate: {
    params: z.object({ scheme: z.string(), claim: optionalParam(jsonObject, {}) }),
    result: z.object({ ...principalSchema.shape, expires_at: endsAt }),
  },
  /** Gives a fresh claim for an agent that is bound here, before the former one ends. */
  renew: {
    params: z.object({ agent_id: z.string(), claim: jsonObject }),
    result: z.object({ expires_at: endsAt }),
  },
  /** Handles of agents for model providers, by id; unknown ids are left out. */
  handles_for: {
    params: z.object({ agent_ids: z.array(z.string()) }),
    result: z.record(z.string(), z.string()),
  },
  /** The hub's API keys, without their secrets. For operators. */
  list_keys: {
    params: z.object({ name: nullableParam(z.string()) }),
    result: z.array(apiKeyInfoSchema),
  },
  /** Issues an API key. For operators with write access. */
  issue_key: {
    params: z.object({
      name: z.string(),
      role: optionalParam(accessRoleSchema, "participant"),
      agents: optionalParam(z.array(z.string()), []),
      label: optionalParam(z.string(), ""),
      /** Seconds from now; null for a key that does not expire. */
      ttl_seconds: nullableParam(z.number().positive()),
    }),
    result: issuedApiKeySchema,
  },
  /** Issues a key in place of another, which goes on for `overlap_seconds`. For operators with write access. */
  rotate_key: {
    params: byKey.extend({
      overlap_seconds: optionalParam(z.number().min(0), DEFAULT_OVERLAP_S),
      ttl_seconds: nullableParam(z.number().positive()),
    }),
    result: issuedApiKeySchema,
  },
  /** Ends a key at once, with every binding that it has made. For operators with write access. */
  revoke_key: { params: byKey, result: apiKeyInfoSchema },
};
