import type { PlainJson } from "./plain-json.js";

/** Names under which a text is a secret. */
const SECRET =
  /^(authorization|cookie|.*(api[-_]?key|secret|password|credential|access[-_]?token))$/i;
/** Stands for one. */
const HIDDEN = "(hidden)";

/** What becomes of the leaves of a value. */
export interface LeafMaps {
  onText(text: string): string;
  onBytes(bytes: Uint8Array): string;
}

/**
 * Any value as plain JSON, with its texts and bytes changed. What has no value is left out,
 * addresses and moments become texts, and texts under the name of a secret are hidden.
 */
export function toPlainJson(value: unknown, maps: LeafMaps): PlainJson {
  if (typeof value === "string") return maps.onText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (value instanceof Uint8Array) return maps.onBytes(value);
  if (value instanceof URL) return maps.onText(value.href);
  if (value instanceof Date) return maps.onText(value.toISOString());
  if (Array.isArray(value)) return value.map((item) => toPlainJson(item, maps));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const hidden = typeof field === "string" && SECRET.test(name);
      return [name, hidden ? HIDDEN : toPlainJson(field, maps)];
    }),
  );
}
