import { CliError } from "../errors/cli-error.js";
import { escapeText } from "../output/escape-text.js";
import { nearest } from "../text/nearest.js";

/** Fewest characters of an id's end that are looked up; a beginning may be shorter. */
const MIN_TAIL = 4;
const MAX_CANDIDATES = 8;

/** Something that can be named by its id, and by its name where it has one. */
export interface Named {
  readonly id: string;
  readonly name?: string | undefined;
  /** How it is shown among candidates. */
  readonly label: string;
}

/**
 * Finds what a person named: by its whole id, its name, or a unique beginning or end of its id.
 *
 * @param what - what is looked for, in one word: `channel`
 * @param text - what was typed
 * @throws CliError when nothing or more than one thing is meant; it lists the candidates
 */
export function matchId<T extends Named>(what: string, text: string, all: readonly T[]): T {
  const exact = all.find((one) => one.id === text) ?? all.find((one) => one.name === text);
  if (exact !== undefined) return exact;
  const typed = text.replace(/^…/, "");
  const matches = all.filter(({ id }) => typed !== "" && isPartOf(id, typed, typed !== text));
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0) return only;
  const shown = JSON.stringify(escapeText(text.slice(0, 80)));
  if (only !== undefined) {
    throw new CliError(`${shown} fits ${matches.length} ${what}s.`, {
      remedy: `Give more of the id: ${listed(matches)}.`,
    });
  }
  throw new CliError(`no ${what} is called ${shown}.`, { remedy: suggest(what, text, all) });
}

function isPartOf(id: string, typed: string, tailOnly: boolean): boolean {
  if (!tailOnly && id.startsWith(typed)) return true;
  return typed.length >= MIN_TAIL && id.endsWith(typed);
}

function suggest(what: string, text: string, all: readonly Named[]): string {
  if (all.length === 0) return `There is no ${what} in this data file.`;
  const words = all.flatMap(({ id, name }) => (name === undefined ? [id] : [name, id]));
  const near = new Set(nearest(text, words, MAX_CANDIDATES));
  const meant = all.filter(
    ({ id, name }) => near.has(id) || (name !== undefined && near.has(name)),
  );
  return meant.length > 0 ? `Did you mean ${listed(meant)}?` : `There is ${listed(all)}.`;
}

function listed(some: readonly Named[]): string {
  const shown = some.slice(0, MAX_CANDIDATES).map(({ label }) => escapeText(label));
  const more = some.length > shown.length ? ` and ${some.length - shown.length} more` : "";
  return shown.join(", ") + more;
}
