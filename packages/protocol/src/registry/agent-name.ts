import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "../json/describe-kind.js";
import { foldName, mixesAlphabets } from "./name-forms.js";

/** Most characters that a name may have, counted as Unicode code points. */
export const MAX_NAME_LENGTH = 64;

/** Names that nobody may take, in any spelling that folds to them: a model or a reader would mistake them. */
export const RESERVED_NAMES = [
  "system",
  "user",
  "assistant",
  "tool",
  "developer",
  "hub",
  "operator",
] as const;

/** The rule for names, for documentation and error messages. */
export const AGENT_NAME_RULE = `A name has 1 to ${MAX_NAME_LENGTH} characters, none of them a control character, a line break, a mark that turns the direction of writing, "[", "]" or ":", is in Unicode form NFC, mixes no alphabets that look alike within a word, neither starts nor ends with a blank, and is not one of ${RESERVED_NAMES.join(", ")}.`;

const RESERVED: ReadonlySet<string> = new Set(RESERVED_NAMES);

/** Control characters, line and paragraph separators, halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Embeddings, overrides and isolates: they reorder what is shown, also of the text behind the name. */
const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Checks a participant's name against {@link AGENT_NAME_RULE}.
 *
 * Nothing is mended: a name that passes is stored, shown and sent byte for byte as it came.
 * Uniqueness is the registry's business: compare with `nameKeys`.
 *
 * @param name - the name as the participant wrote it
 * @returns the very same name
 * @throws InvalidInputError that says what is wrong and states the rule
 */
export function checkAgentName(name: string): string {
  if (typeof name !== "string") throw refused("The name is not a text.", describeKind(name));
  const fault = findFault(name);
  if (fault !== null) throw refused(fault, "string");
  return name;
}

function findFault(name: string): string | null {
  const length = Array.from(name).length;
  if (length === 0) return "The name is empty.";
  if (length > MAX_NAME_LENGTH) return `The name has ${length} characters.`;
  if (UNPRINTABLE.test(name)) return "The name holds a control character or a line break.";
  if (TURNS_DIRECTION.test(name))
    return "The name holds a mark that turns the direction of writing.";
  if (/[[\]:]/.test(name)) return 'The name holds "[", "]" or ":".';
  if (name.trim() !== name) return "The name starts or ends with a blank.";
  if (name.normalize("NFC") !== name) return "The name is not in Unicode form NFC.";
  if (mixesAlphabets(name)) return "The name mixes alphabets that look alike within a word.";
  const folded = foldName(name);
  if (folded === "") return "The name has no visible character.";
  return RESERVED.has(folded) ? "The name is reserved." : null;
}

function refused(fault: string, received: string): InvalidInputError {
  return new InvalidInputError(`${fault} ${AGENT_NAME_RULE}`, {
    field: "name",
    received,
    remedy: AGENT_NAME_RULE,
  });
}
