import { foldText } from "./fold-text.js";

/** Characters of an excerpt, the marks of what was left out included. */
export const EXCERPT_LENGTH = 240;
const CUT = "…";
/** Share of an excerpt that stands before the words that were found. */
const BEFORE = 1 / 3;

/**
 * At most {@link EXCERPT_LENGTH} characters of a text that show the first place of some words; `…`
 * stands where something was left out. A text whose words lie near its start is shown from its start.
 *
 * @param words - in any case; when the text does not hold them it is shown from its start
 */
export function excerptAround(text: string, words: string, length = EXCERPT_LENGTH): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const found = placeOf(characters, words);
  const wordsLength = [...words].length;
  const fits = found + wordsLength <= length - 1;
  if (fits) return characters.slice(0, length - 1).join("") + CUT;
  const room = length - 2;
  const lead = Math.max(0, Math.min(Math.floor(room * BEFORE), room - wordsLength));
  const start = Math.max(0, Math.min(found - lead, characters.length - room - 1));
  const end = start + room;
  // Without a mark at the end there is room for one character more.
  if (end >= characters.length - 1) {
    return CUT + characters.slice(characters.length - length + 1).join("");
  }
  return CUT + characters.slice(start, end).join("") + CUT;
}

/** Counted in characters of the text itself: folding may change how many there are. */
function placeOf(characters: readonly string[], words: string): number {
  const needle = foldText(words);
  const at = needle === "" ? -1 : foldText(characters.join("")).indexOf(needle);
  if (at < 0) return 0;
  let units = 0;
  for (const [index, character] of characters.entries()) {
    units += foldText(character).length;
    if (units > at) return index;
  }
  return 0;
}
