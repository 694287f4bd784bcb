/** Characters of a text beyond which it is not taken apart, so that one envelope stops nobody for long. */
const MAX_INDEXED = 16_384;
/** Threes of a query that the index is asked for; the log decides on the rest. */
const MAX_TERMS = 24;
/** Letters for numbers: Unicode's private area, which the tokenizer leaves as it is. */
const FIRST_LETTER = 0xe0_00;
const LETTERS = 6_144;
/** Stands for every text that is too long to be taken apart. */
const LONG = "\uf8fd\uf8fe\uf8ff";

/** Half of a character. */
const HALF = /\p{Surrogate}/u;
const UNFIT = /[\p{Surrogate}\0]/gu;

/** What the index holds of a row: its channel, and its folded text. */
export function indexedText(channel: number, folded: string): string {
  const head = channelTerm(channel);
  return folded.length > MAX_INDEXED ? `${head}\n${LONG}` : `${head}\n${plain(folded)}`;
}

/**
 * The question to the index that gives every row which may hold the folded words; null when the
 * index cannot help, because they are too short or no whole characters.
 *
 * @param channel - number of the channel; null for all
 */
export function indexQuestion(channel: number | null, needle: string): string | null {
  if (HALF.test(needle)) return null;
  const characters = [...plain(needle)];
  const terms = new Set<string>();
  for (let at = 0; at + 3 <= characters.length && terms.size < MAX_TERMS; at += 1) {
    terms.add(characters.slice(at, at + 3).join(""));
  }
  if (terms.size === 0) return null;
  const words = [...terms].map(quoteTerm).join(" AND ");
  const said = `((${words}) OR ${quoteTerm(LONG)})`;
  return channel === null ? said : `${quoteTerm(channelTerm(channel))} AND ${said}`;
}

/** Three letters that no other channel has. */
function channelTerm(channel: number): string {
  const digits = [channel, Math.floor(channel / LETTERS), Math.floor(channel / LETTERS ** 2)];
  return digits.map((digit) => String.fromCharCode(FIRST_LETTER + (digit % LETTERS))).join("");
}

/** The tokenizer ends at a null character; half a character has no place in a database. */
function plain(text: string): string {
  return text.replace(UNFIT, "\ufffd");
}

function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
