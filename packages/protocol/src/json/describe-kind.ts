/**
 * Names the kind of a value for an error message, without showing the value itself.
 *
 * Tells apart what JSON and its readers confuse most: `null`, `array`, `integer` and `number`.
 * `undefined` is called `missing`, because that is what it means in a record.
 *
 * @param value - anything
 * @returns one of `string`, `integer`, `number`, `boolean`, `null`, `array`, `object`, `missing`,
 *   `bigint`, `function`, `symbol`
 */
export function describeKind(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}
