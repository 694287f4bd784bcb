import { type ApiKeyInfo, formatTimestamp, principalSchema } from "@colloquy/protocol";
import * as z from "zod";
import { maskKey } from "./key-secret.js";

/** An API key as it is stored: a record of kind `key`. The secret itself is kept nowhere. */
export const keyRecordSchema = z.object({
  ...principalSchema.shape,
  key_id: z.string(),
  /** SHA-256 of the whole key, in hex. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  label: z.string(),
  /** Instants are epoch milliseconds. */
  created_at: z.number(),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  replaces: z.string().nullable(),
  replaced_by: z.string().nullable(),
});

/** See {@link keyRecordSchema}. */
export type KeyRecord = Readonly<z.infer<typeof keyRecordSchema>>;

/** How a key stands at an instant. */
export function keyStatus(
  { revoked_at, expires_at }: Pick<KeyRecord, "revoked_at" | "expires_at">,
  now: number,
): ApiKeyInfo["status"] {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= now ? "expired" : "active";
}

/** A key as operators see it. */
export function showKey(record: KeyRecord, now: number): ApiKeyInfo {
  const { digest: _, created_at, expires_at, revoked_at, ...shown } = record;
  return {
    ...shown,
    agents: [...record.agents],
    status: keyStatus(record, now),
    masked: maskKey(record.key_id),
    created_at: formatTimestamp(created_at),
    expires_at: expires_at === null ? null : formatTimestamp(expires_at),
    revoked_at: revoked_at === null ? null : formatTimestamp(revoked_at),
  };
}
