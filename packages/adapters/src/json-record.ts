/** A JSON object whose values are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The record's own property as a string; empty when it is missing or something else. */
export function ownText(record: JsonRecord, key: string): string {
  const value = Object.hasOwn(record, key) ? record[key] : "";
  return typeof value === "string" ? value : "";
}

/** The record's own property as a record; null when it is missing or something else. */
export function ownRecord(record: JsonRecord, key: string): JsonRecord | null {
  const value = Object.hasOwn(record, key) ? record[key] : null;
  return isRecord(value) ? value : null;
}
