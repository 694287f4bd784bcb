import { ApiError } from "./api-error.js";

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** Words that only narrow what a value may be and that the library knows by the same name. */
const KEPT = [
  ...["description", "const", "enum", "required", "format", "$ref"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
] as const;
/** Words whose meaning would be lost without a word. */
const REFUSED = ["allOf", "not", "if", "dependentSchemas", "patternProperties"] as const;
/** Formats that the library can write; others are left out, as a model is free to read them. */
const FORMATS = new Set<unknown>(["date-time", "time", "date"]);
/** What a schema without any demand lets a model write here. */
const ANY_PLAIN_VALUE = ["string", "number", "boolean", "null"] as const;

/**
 * The schema of a function's arguments in the dialect by which the library makes a model write. What
 * the dialect lacks (`pattern`, ranges of numbers) is left out: the caller checks arguments itself.
 *
 * @param field - where the schema stands, for the error
 * @throws ApiError with status 400 for a schema that means something else without what is left out
 */
export function toFunctionSchema(schema: unknown, field: string): Schema {
  if (schema === true) return { type: ANY_PLAIN_VALUE };
  if (!isSchema(schema)) throw wrong(field, "give a JSON Schema as an object");
  const refused = REFUSED.find((word) => schema[word] !== undefined);
  if (refused !== undefined) {
    throw wrong(`${field}.${refused}`, "this server cannot make a model write by it; leave it out");
  }
  const types = schema["type"];
  if (Array.isArray(types) && types.some((type) => type === "object" || type === "array")) {
    return { oneOf: types.map((type) => toFunctionSchema({ ...schema, type }, field)) };
  }
  const kept = Object.fromEntries(
    KEPT.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])),
  );
  if (!FORMATS.has(kept["format"])) delete kept["format"];
  const type = types ?? typeOf(schema);
  return { ...kept, ...(type === undefined ? {} : { type }), ...innerSchemas(schema, field) };
}

/** What a schema without `type` is about; undefined where other words say it. */
function typeOf(schema: Schema): string | readonly string[] | undefined {
  if (schema["properties"] !== undefined) return "object";
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return "array";
  const says = ["const", "enum", "oneOf", "anyOf", "$ref"].some((word) => word in schema);
  return says ? undefined : ANY_PLAIN_VALUE;
}

function innerSchemas(schema: Schema, field: string): Schema {
  const inner: Record<string, unknown> = {};
  for (const word of ["properties", "$defs"]) {
    const named = schema[word];
    if (!isSchema(named)) continue;
    inner[word] = Object.fromEntries(
      Object.entries(named).map(([name, one]) => [
        name,
        toFunctionSchema(one, `${field}.${word}.${name}`),
      ]),
    );
  }
  for (const word of ["items", "additionalProperties"]) {
    const one = schema[word];
    if (one === undefined) continue;
    inner[word] = typeof one === "boolean" ? one : toFunctionSchema(one, `${field}.${word}`);
  }
  for (const word of ["prefixItems", "oneOf", "anyOf"]) {
    const list = schema[word];
    if (!Array.isArray(list)) continue;
    // Nothing that a model writes by one of several schemas is wrong by another way of counting them.
    inner[word === "anyOf" ? "oneOf" : word] = list.map((one, at) =>
      toFunctionSchema(one, `${field}.${word}[${at}]`),
    );
  }
  return inner;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const wrong = (param: string, why: string): ApiError =>
  new ApiError(400, `${param}: ${why}`, { param });
