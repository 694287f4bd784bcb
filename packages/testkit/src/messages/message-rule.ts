import { describeKind } from "@colloquy/protocol";

/** A JSON object of unknown make. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Fails with the place and what is wrong there. */
export function reject(place: string, fault: string): never {
  throw new Error(`${place} ${fault}`);
}

/** The value as an object. */
export function objectAt(value: unknown, place: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  return reject(place, `is ${describeKind(value)}, not an object`);
}

/** The value as a list with at least one item. */
export function listAt(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) return reject(place, `is ${describeKind(value)}, not a list`);
  if (value.length === 0) return reject(place, "is empty");
  return value;
}

/** The value as a text with a visible character. */
export function textAt(value: unknown, place: string): string {
  if (typeof value !== "string") return reject(place, `is ${describeKind(value)}, not a text`);
  if (value.trim() === "") return reject(place, "is blank");
  return value;
}

/** Every key of an object must be known. */
export function onlyKeys(value: JsonObject, known: readonly string[], place: string): void {
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined) reject(place, `has a field '${strange}' that is not of the API`);
}
