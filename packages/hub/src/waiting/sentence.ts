import { formatTimestamp } from "@colloquy/protocol";
import type { Named } from "./facts.js";

/** Names that a sentence has; the others are counted. */
const MOST_NAMES = 5;
/** Characters of a reason that a sentence has. */
const MOST_REASON = 200;

/** What happens next by itself. */
export interface NextStep {
  readonly what: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Names in one phrase: `alice, bob and carol`. */
export function listNames(people: readonly Named[]): string {
  const names = people.map(({ name }) => name);
  if (names.length > MOST_NAMES) {
    const shown = names.slice(0, MOST_NAMES);
    return `${shown.join(", ")} and ${names.length - MOST_NAMES} more`;
  }
  const last = names.at(-1) ?? "nobody";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** One of two forms of a verb. */
export function oneOrMore<T>(people: readonly unknown[], one: T, more: T): T {
  return people.length === 1 ? one : more;
}

/** A count with its noun. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A reason in brackets, short and on one line; nothing when it is empty or is not to be shown. */
export function inBrackets(reason: string, isShown: boolean): string {
  const line = reason.replace(/\s+/g, " ").trim();
  if (!isShown || line === "") return "";
  return ` (${line.length > MOST_REASON ? `${line.slice(0, MOST_REASON)}…` : line})`;
}

/**
 * Puts a sentence together.
 *
 * @param lead - what stands before the time since when
 * @param rest - what stands behind it
 */
export function toSentence(
  { lead, rest }: { readonly lead: string; readonly rest: string },
  since: number | null,
  next: NextStep | null,
): string {
  const from = since === null ? "" : ` since ${formatTimestamp(since)}`;
  const then = next === null ? "" : `; ${next.what} at ${formatTimestamp(next.at)}`;
  return `${lead}${from}${rest}${then}.`;
}
