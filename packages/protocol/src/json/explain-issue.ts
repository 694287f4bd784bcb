import type * as z from "zod";
import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "./describe-kind.js";
import { remedyFor } from "./issue-remedy.js";

type Issue = z.core.$ZodIssue;

/**
 * Turns the findings of a schema into one error that a stranger can act on.
 *
 * The first finding is explained: which field, which kind of value was found there, what to do. The others are
 * counted. No value of the input appears, only its kind, so secrets do not reach logs or peers.
 *
 * @param issues - what the schema found, in its order; not empty
 * @param input - what the schema was given, to name the kinds received
 * @param subject - what the input is, in the reader's words, such as `frame "hello"` or `passport`
 * @returns an InvalidInputError; `details.field` is a path such as `limits.inbox.max_pending` or `items[3].status`
 */
export function explainIssue(
  issues: readonly Issue[],
  input: unknown,
  subject: string,
): InvalidInputError {
  const [first, ...others] = issues;
  if (first === undefined) {
    return new InvalidInputError(`${subject} is invalid.`, {
      field: "",
      received: describeKind(input),
      remedy: "Check it against its documentation.",
    });
  }
  const { issue, path } = deepest(first, first.path);
  const field = formatPath(path);
  const received = describeKind(valueAt(input, path));
  const remedy = remedyFor(issue, received);
  const place = field === "" ? subject : `${subject}, field ${field}`;
  const more = others.length === 0 ? "" : ` ${countOthers(others.length)}`;
  return new InvalidInputError(`${place}: received ${received}. ${remedy}${more}`, {
    field,
    received,
    remedy,
  });
}

/**
 * Checks a value against a schema and returns what the schema makes of it.
 *
 * @param schema - the contract
 * @param input - the value to check
 * @param subject - what the value is, in the reader's words, for the message
 * @throws InvalidInputError as {@link explainIssue} describes
 */
export function parseWith<S extends z.ZodType>(
  schema: S,
  input: unknown,
  subject: string,
): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw explainIssue(result.error.issues, input, subject);
}

/** A union reports one list of findings per member; the one that got furthest is explained. */
function deepest(
  issue: Issue,
  path: readonly PropertyKey[],
): { issue: Issue; path: readonly PropertyKey[] } {
  if (issue.code !== "invalid_union") return { issue, path };
  const nearest = issue.errors.reduce<Issue | null>((best, findings) => {
    const first = findings[0];
    return first !== undefined && first.path.length > (best?.path.length ?? 0) ? first : best;
  }, null);
  return nearest === null ? { issue, path } : deepest(nearest, [...path, ...nearest.path]);
}

function countOthers(count: number): string {
  return count === 1 ? "One more field is wrong." : `${count} more fields are wrong.`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return Reflect.get(value, key);
  }, input);
}
