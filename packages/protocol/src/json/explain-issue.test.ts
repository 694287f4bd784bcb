import { describe, expect, it } from "vitest";
import * as z from "zod";
import { InvalidInputError } from "../errors/network-error.js";
import { explainIssue, parseWith } from "./explain-issue.js";

const schema = z.strictObject({
  name: z.string(),
  items: z.array(z.object({ status: z.enum(["ack", "nack"]) })).max(2),
  count: z.int().min(0).max(10),
  ttl: z.union([z.string(), z.int()]).nullable(),
  shape: z.union([
    z.object({ a: z.string() }),
    z.object({ b: z.object({ c: z.int() }), d: z.int() }),
  ]),
  name2: z.string().min(1).max(3).optional(),
  word: z
    .string()
    .refine((word) => word !== "no", "Send another word.")
    .optional(),
});
const good = { name: "n", items: [], count: 1, ttl: null, shape: { a: "" } };

function refusal(input: unknown): InvalidInputError {
  try {
    parseWith(schema, input, "thing");
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInputError);
    return error as InvalidInputError;
  }
  throw new Error("was accepted");
}

describe("parseWith", () => {
  it("gives what the schema makes of a valid value", () => {
    expect(parseWith(schema, good, "thing")).toEqual(good);
  });

  it.each([
    [{ ...good, name: 1 }, "thing, field name: received integer. Send a string."],
    [
      { ...good, name: undefined },
      "thing, field name: received missing. This field is required; send a string.",
    ],
    [
      { ...good, items: [{ status: "ack" }, { status: "maybe" }] },
      'thing, field items[1].status: received string. Send "ack" or "nack".',
    ],
    [
      { ...good, items: [1, 2], count: "x", name: null },
      "thing, field name: received null. Send a string. 3 more fields are wrong.",
    ],
    [{ ...good, items: [1, 2, 3] }, "thing, field items: received array. Send at most 2 items."],
    [{ ...good, count: 1.5 }, "thing, field count: received number. Send an integer."],
    [{ ...good, count: -1 }, "thing, field count: received integer. Send a number of at least 0."],
    [{ ...good, count: 11 }, "thing, field count: received integer. Send a number of at most 10."],
    [{ ...good, ttl: [] }, "thing, field ttl: received array. Send a string or a number."],
    [{ ...good, name2: "" }, "thing, field name2: received string. Send at least 1 character."],
    [{ ...good, name2: "long" }, "thing, field name2: received string. Send at most 3 characters."],
    [{ ...good, word: "no" }, "thing, field word: received string. Send another word."],
    [{ ...good, extra: 1 }, 'thing: received object. Leave out "extra".'],
    [[], "thing: received array. Send an object."],
    [null, "thing: received null. Send an object."],
  ])("explains %j", (input, message) => {
    expect(refusal(input).message).toBe(message);
  });

  it("goes into the member of a union that got furthest", () => {
    expect(refusal({ ...good, shape: { b: { c: "x" }, d: 1 } }).details).toMatchObject({
      field: "shape.b.c",
    });
  });

  it("counts the other findings", () => {
    expect(refusal({ ...good, name: 1, count: "x" }).message).toContain("One more field is wrong.");
  });

  it("cuts unknown keys short and lists few of them", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, 1]));
    expect(refusal({ ...good, ...many }).message).toContain("and 45 more.");
    expect(refusal({ ...good, ["x".repeat(10_000)]: 1 }).message.length).toBeLessThan(200);
  });

  it("shows no value", () => {
    const error = refusal({ ...good, name: { token: "hunter2" }, count: "hunter2" });
    expect(`${error.message}${JSON.stringify(error.details)}`).not.toContain("hunter2");
  });

  it("gives field, kind and remedy to programs", () => {
    expect(refusal({ ...good, name: [] }).details).toEqual({
      field: "name",
      received: "array",
      remedy: "Send a string.",
    });
  });
});

it("explainIssue copes with no findings", () => {
  expect(explainIssue([], 1, "thing").message).toBe("thing is invalid.");
});
