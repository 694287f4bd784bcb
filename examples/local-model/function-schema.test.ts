import { expect, it } from "vitest";
import { toFunctionSchema } from "./function-schema.js";

const convert = (schema: unknown) => toFunctionSchema(schema, "parameters");

it("keeps what the library can write by, at every depth, and leaves out what only narrows", () => {
  expect(
    convert({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        town: { type: "string", minLength: 1, pattern: "^[A-Z]", description: "Its name." },
        day: { type: "string", format: "date" },
        mail: { type: "string", format: "email" },
        days: { type: "array", items: { type: "integer", minimum: 1 }, maxItems: 3 },
        unit: { enum: ["C", "F"] },
        place: { $ref: "#/$defs/place" },
      },
      required: ["town"],
      additionalProperties: false,
      $defs: { place: { properties: { x: { type: "number" } } } },
    }),
  ).toEqual({
    type: "object",
    properties: {
      town: { type: "string", minLength: 1, description: "Its name." },
      day: { type: "string", format: "date" },
      mail: { type: "string" },
      days: { type: "array", items: { type: "integer" }, maxItems: 3 },
      unit: { enum: ["C", "F"] },
      place: { $ref: "#/$defs/place" },
    },
    required: ["town"],
    additionalProperties: false,
    $defs: { place: { type: "object", properties: { x: { type: "number" } } } },
  });
});

it("says in the library's words that one of several schemas holds", () => {
  const either = [{ type: "string" }, { type: "null" }];
  expect(convert({ anyOf: either })).toEqual({ oneOf: either });
  expect(convert({ type: ["string", "null"] })).toEqual({ type: ["string", "null"] });
  expect(convert({ type: ["array", "null"], items: { type: "string" } })).toEqual({
    oneOf: [
      { type: "array", items: { type: "string" } },
      { type: "null", items: { type: "string" } },
    ],
  });
});

it("lets a schema without demands have any plain value", () => {
  const plain = { type: ["string", "number", "boolean", "null"] };
  expect(convert({})).toEqual(plain);
  expect(convert({ properties: { x: true } })).toMatchObject({ properties: { x: plain } });
});

it.each([
  ["parameters", 7],
  ["parameters.allOf", { allOf: [] }],
  ["parameters.properties.x.not", { properties: { x: { not: {} } } }],
  ["parameters.items", { items: [] }],
  ["parameters.anyOf[1].if", { anyOf: [{}, { if: {} }] }],
])("refuses by its name %s", (param, schema) => {
  expect(() => convert(schema)).toThrow(expect.objectContaining({ status: 400, param }));
});
