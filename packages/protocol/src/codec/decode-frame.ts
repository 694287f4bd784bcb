import type * as z from "zod";
import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "../json/describe-kind.js";
import { parseWith } from "../json/explain-issue.js";
import { parseJson } from "../json/parse-json.js";

/**
 * Reads one text message as a frame of one of the kinds given.
 *
 * @param schemas - the kinds expected, with their schemas
 * @param text - the message
 * @param parse - how its JSON is read
 * @throws InvalidInputError that names the field, the kind of value received and the remedy
 */
export function decodeFrame<Schemas extends Record<string, z.ZodType>>(
  schemas: Schemas,
  text: string,
  parse: (text: string) => unknown = parseJson,
): z.output<Schemas[keyof Schemas]> {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const received = describeKind(value);
    const remedy = 'Send one JSON object with a field "kind".';
    throw new InvalidInputError(`frame: received ${received}. ${remedy}`, {
      field: "",
      received,
      remedy,
    });
  }
  const kind: unknown = Reflect.get(value, "kind");
  const schema = typeof kind === "string" && Object.hasOwn(schemas, kind) ? schemas[kind] : null;
  if (schema === null || schema === undefined) throw unknownKind(kind, Object.keys(schemas));
  return parseWith(schema as Schemas[keyof Schemas], value, `frame "${String(kind)}"`);
}

function unknownKind(kind: unknown, known: readonly string[]): InvalidInputError {
  const received = typeof kind === "string" ? "string that names no frame" : describeKind(kind);
  const remedy = `Send one of ${known.join(", ")}.`;
  return new InvalidInputError(`frame, field kind: received ${received}. ${remedy}`, {
    field: "kind",
    received,
    remedy,
  });
}
