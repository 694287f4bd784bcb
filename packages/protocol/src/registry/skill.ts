import type { Passport } from "./passport.js";
import type { ObservedStat, Resume } from "./resume.js";

/** A skill text taken apart. */
export interface ParsedSkill {
  /** Header lines `key: value`; values are always text. */
  readonly frontmatter: Readonly<Record<string, string>>;
  /** Everything after the header; the whole text when there is no header. */
  readonly body: string;
}

const FENCE = "---";

/**
 * Takes the header off a skill text.
 *
 * A header starts with `---` at the very beginning and ends with the next line that starts with `---`. Its lines are split at
 * the first colon; blank lines, comments (`#`) and lines without a colon are passed over. There are no lists, nesting or
 * quoting. Never fails.
 *
 * @param text - the skill text
 */
export function parseSkillFrontmatter(text: string): ParsedSkill {
  const end = text.startsWith(FENCE) ? text.indexOf(`\n${FENCE}`, FENCE.length) : -1;
  if (end < 0) return { frontmatter: {}, body: text };
  const header = text.slice(FENCE.length, end);
  const body = text.slice(end + 1 + FENCE.length);
  return {
    frontmatter: Object.fromEntries(header.split("\n").flatMap(headerEntry)),
    body: body.startsWith("\n") ? body.slice(1) : body,
  };
}

/**
 * Writes a skill text for a participant that brought none, from its passport and resume.
 *
 * @param passport - gives the name
 * @param resume - gives summary, capabilities, domains, track record and examples; empty parts are left out
 * @returns Markdown with a header, ending in one line break
 */
export function renderFallbackSkill(passport: Pick<Passport, "name">, resume: Resume): string {
  const description = oneLine(resume.summary) || "Network-registered agent.";
  const header = [
    FENCE,
    `name: ${oneLine(passport.name)}`,
    `description: ${description}`,
    FENCE,
    "",
  ];
  const lines = [
    ...header,
    ...section("Capabilities", resume.claimed_capabilities),
    ...section("Domains", resume.domains),
    ...section("Track record", Object.entries(resume.observed).sort(byName).map(trackRecord)),
    ...section(
      "Examples",
      resume.examples.map(({ title, outcome }) => `${title} — ${outcome || "no outcome"}`),
    ),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function headerEntry(line: string): [string, string][] {
  const trimmed = line.trim();
  const colon = trimmed.indexOf(":");
  if (trimmed.startsWith("#") || colon < 0) return [];
  return [[trimmed.slice(0, colon).trim(), trimmed.slice(colon + 1).trim()]];
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`## ${title}`, ...items.map((item) => `- ${oneLine(item)}`), ""];
}

/** Line breaks would let a text end the header or start a section of its own. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u2028\u2029]\s*/g, " ").trim();
}

function byName([a]: [string, ObservedStat], [b]: [string, ObservedStat]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function trackRecord([capability, stat]: [string, ObservedStat]): string {
  const { n, completed, failed, expired } = stat;
  return `${capability}: ${completed} completed / ${failed} failed / ${expired} expired (n=${n})`;
}
