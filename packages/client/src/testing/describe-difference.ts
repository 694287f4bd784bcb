import type { PlainJson } from "./plain-json.js";

/** Characters shown before and behind the place where two texts part. */
const AROUND = 40;

/**
 * Says where two JSON values first differ and what stands there in each; null when they are equal.
 *
 * @param path - where the values stand
 */
export function describeDifference(
  recorded: PlainJson | undefined,
  asked: PlainJson | undefined,
  path = "request",
): string | null {
  if (typeof recorded === "string" && typeof asked === "string") {
    return recorded === asked ? null : textDifference(recorded, asked, path);
  }
  if (Array.isArray(recorded) && Array.isArray(asked)) {
    return firstDifference(
      Array.from({ length: Math.max(recorded.length, asked.length) }, (_, at) =>
        describeDifference(recorded[at], asked[at], `${path}[${at}]`),
      ),
    );
  }
  if (isObject(recorded) && isObject(asked)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])];
    return firstDifference(
      names.map((name) => describeDifference(recorded[name], asked[name], `${path}.${name}`)),
    );
  }
  if (recorded === asked) return null;
  return `at ${path}: recorded ${show(recorded)}, asked ${show(asked)}`;
}

function firstDifference(differences: readonly (string | null)[]): string | null {
  return differences.find((difference) => difference !== null) ?? null;
}

function textDifference(recorded: string, asked: string, path: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === asked[at]) at += 1;
  const part = (text: string): string => {
    const from = Math.max(0, at - AROUND);
    const cut = text.slice(from, at + AROUND);
    const before = from > 0 ? "…" : "";
    return JSON.stringify(`${before}${cut}${at + AROUND < text.length ? "…" : ""}`);
  };
  return `at ${path}, character ${at + 1}: recorded ${part(recorded)}, asked ${part(asked)}`;
}

function show(value: PlainJson | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…` : text;
}

function isObject(value: PlainJson | undefined): value is { [name: string]: PlainJson } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
