import { InvalidInputError } from "../errors/network-error.js";
import { describeKind } from "../json/describe-kind.js";

/** Most characters that a name may have, counted as Unicode code points after NFC. */
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
export const AGENT_NAME_RULE = `A name has 1 to ${MAX_NAME_LENGTH} characters, none of them a control character, a line break, a mark that turns the direction of writing, "[", "]" or ":", neither starts nor ends with a blank, and is not one of ${RESERVED_NAMES.join(", ")}.`;

const RESERVED: ReadonlySet<string> = new Set(RESERVED_NAMES);

/** Control characters, line and paragraph separators, halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Embeddings, overrides and isolates: they reorder what is shown, also of the text behind the name. */
const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/** Small Cyrillic and Greek letters that are drawn like Latin ones, or whose capitals are. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...zip("авсԁеһіјкӏмнорԛѕтухԝ", "abcdehijklmhopqstyxw"),
  ...zip("αβεζικνορτυχ", "abezikvoptux"),
]);

/**
 * Checks a participant's name against {@link AGENT_NAME_RULE}.
 *
 * Uniqueness is the registry's business: compare with {@link foldName}.
 *
 * @param name - the name as the participant wrote it
 * @returns the name in Unicode form NFC, which is the one to store
 * @throws InvalidInputError that says what is wrong and states the rule
 */
export function checkAgentName(name: string): string {
  if (typeof name !== "string") throw refused("The name is not a text.", describeKind(name));
  const normal = name.normalize("NFC");
  const fault = findFault(normal);
  if (fault !== null) throw refused(fault, "string");
  return normal;
}

/**
 * Form of a name in which two names that a reader could confuse are equal.
 *
 * Compatibility forms, upper case, invisible characters, runs of blanks and the letters of other alphabets that are drawn
 * like Latin ones are levelled out, so `Bob`, `bob`, a full-width `ＢＯＢ` and one with a Cyrillic `о` clash. For
 * comparison only; never shown.
 *
 * @param name - any text
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(
      /[\p{Script=Cyrillic}\p{Script=Greek}]/gu,
      (letter) => LOOK_ALIKES.get(letter) ?? letter,
    )
    .normalize("NFKC")
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * Handle of a name for model providers that accept only `[A-Za-z0-9_-]{1,64}`.
 *
 * A name that already fits is returned as it is. Any other keeps what is readable of it and gets a mark computed from the
 * whole name, so that different names do not share a handle and the same name always has the same one.
 *
 * @param name - any text
 */
export function providerHandle(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  const readable = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 55);
  return `${readable === "" ? "agent" : readable}-${hash(name)}`;
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

/** FNV-1a over UTF-16 code units, as eight hex digits: short and stable, no defence against an attacker. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}

/** Pairs of characters at the same place. */
function zip(from: string, to: string): [string, string][] {
  const targets = Array.from(to);
  return Array.from(from).map((letter, at) => [letter, targets[at] ?? letter]);
}
