import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/**
 * Says in one sentence what to do about a finding of a schema.
 *
 * @param issue - the finding
 * @param received - kind of the value found, as {@link describeKind} names it
 * @returns a sentence with its full stop; it quotes the contract, never the value
 */
export function remedyFor(issue: Issue, received: string): string {
  switch (issue.code) {
    case "invalid_type":
      return received === "missing"
        ? `This field is required; send ${withArticle(issue.expected)}.`
        : `Send ${withArticle(issue.expected)}.`;
    case "unrecognized_keys":
      return `Leave out ${listed(issue.keys.slice(0, 5).map(shortKey), "and")}${moreThan(issue.keys.length, 5)}.`;
    case "invalid_value":
      return `Send ${listed(issue.values.map(quoted), "or")}.`;
    case "too_big":
      return `Send ${bound(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue.origin)}.`;
    case "too_small":
      return `Send ${bound(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue.origin)}.`;
    case "invalid_format":
      return `Send a valid ${issue.format}.`;
    case "invalid_union":
      return anyOf(issue);
    case "invalid_key":
      return "Send only keys that this field allows.";
    case "custom":
      return issue.message === "Invalid input"
        ? "Send a value that this field allows."
        : issue.message;
    default:
      return "Send a value that this field allows.";
  }
}

/** When every member of a union only wants another kind of value, the kinds can be listed. */
function anyOf(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = issue.errors.map(([first]) => (first?.code === "invalid_type" ? first : null));
  const expected = kinds.flatMap((kind) => (kind === null ? [] : [withArticle(kind.expected)]));
  return expected.length > 0 && expected.length === kinds.length
    ? `Send ${listed(expected, "or")}.`
    : "Send one of the shapes that this field allows.";
}

const WORDS: Readonly<Record<string, string>> = {
  int: "an integer",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

function withArticle(kind: string): string {
  return WORDS[kind] ?? `a ${kind}`;
}

function bound(words: string, limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `a number of ${words} ${limit}`
    : `${words} ${limit} ${limit === 1 ? unit.slice(0, -1) : unit}`;
}

const UNITS: Readonly<Record<string, string>> = {
  string: "characters",
  array: "items",
  set: "items",
  map: "entries",
};

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Keys come from the peer: shown so that they can be found, cut so that they cannot flood a log. */
function shortKey(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}

function moreThan(count: number, shown: number): string {
  return count > shown ? ` and ${count - shown} more` : "";
}

function listed(words: readonly string[], joint: string): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}
