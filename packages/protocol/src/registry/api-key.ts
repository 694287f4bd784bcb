import * as z from "zod";
import { principalSchema } from "./principal.js";

/** Schema of {@link ApiKeyInfo}. */
export const apiKeyInfoSchema = z.object({
  /** Part of the key that is no secret; names it in listings and audit records. */
  key_id: z.string(),
  ...principalSchema.shape,
  /** A remark of whoever issued it. */
  label: z.string(),
  /** `revoked` and `expired` keys are refused. */
  status: z.enum(["active", "expired", "revoked"]),
  /** How the key begins, with its secret left out. */
  masked: z.string(),
  created_at: z.string(),
  /** ISO time from which it is refused; null for none. */
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  /** The key that this one was issued to replace, and the one that replaces it. */
  replaces: z.string().nullable(),
  replaced_by: z.string().nullable(),
});

/** Schema of {@link IssuedApiKey}. */
export const issuedApiKeySchema = z.object({
  /** The whole key. It is shown here once and kept nowhere. */
  secret: z.string(),
  key: apiKeyInfoSchema,
});

/** An API key as operators see it: everything but the secret. */
export type ApiKeyInfo = Readonly<z.infer<typeof apiKeyInfoSchema>>;
/** What issuing or rotating a key gives. */
export type IssuedApiKey = Readonly<z.infer<typeof issuedApiKeySchema>>;
