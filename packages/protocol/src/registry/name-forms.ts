/**
 * Letters of other alphabets that are drawn like Latin ones, or whose capitals are: the part of
 * Unicode's confusables that keyboards offer. Compatibility forms, such as full-width and
 * mathematical letters, need no line here, because NFKC levels them.
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...zip("авсԁеһіјкӏмнорԛѕтухԝүѵ", "abcdehijklmhopqstyxwyv"),
  ...zip("αβεζικνορτυχγ", "abezikvoptuxy"),
  ...zip("օսհոցզյլ", "ouhngqjl"),
  ...zip("ꭺᏼꮯꭰꭼꮐꮋꭻꮶꮮꮇꮲꭱꮪꭲꮩꮃꮓ", "abcdeghjklmprstvwz"),
]);

/** Letters of the alphabets above. */
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

/** Latin letters and digits that many typefaces draw alike, as Unicode's skeletons take them. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ["0", "O"],
  ["1", "l"],
  ["I", "l"],
  ["|", "l"],
  ["m", "rn"],
]);

/** Alphabets that have letters which are drawn alike. */
const ALPHABETS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Deseret}/u,
];

/**
 * Form of a name by which it is looked up: whoever writes it a little differently still means it.
 *
 * Compatibility forms, upper case, invisible characters, runs of blanks and the letters of other alphabets that are drawn
 * like Latin ones are levelled out, so `Bob`, `bob`, a full-width `ＢＯＢ` and one with a Cyrillic `о` are one. For
 * comparison only; never shown.
 *
 * @param name - any text
 */
export function foldName(name: string): string {
  return visible(name)
    .toLowerCase()
    .replace(FOREIGN, (letter) => LOOK_ALIKES.get(letter) ?? letter)
    .normalize("NFKC")
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * Forms of a name of which no two registered names may share one.
 *
 * The first is {@link foldName}. The second keeps case and levels what is drawn alike in it, so that `Al` and `AI`,
 * `node-1` and `node-l`, `modern` and `modem` clash, while `al` and `ai` do not.
 *
 * @param name - any text
 */
export function nameKeys(name: string): readonly [folded: string, drawn: string] {
  const drawn = visible(name)
    .replace(FOREIGN, latinOf)
    .normalize("NFKC")
    .replace(/[01I|m]/g, (letter) => TWINS.get(letter) ?? letter)
    .replace(/\s+/gu, " ")
    .trim();
  return [foldName(name), `drawn ${drawn}`];
}

/**
 * True for a name that has a word with letters of several alphabets whose letters are drawn alike:
 * a Latin word with one Cyrillic letter in it is nobody's word.
 *
 * @param name - any text
 */
export function mixesAlphabets(name: string): boolean {
  const words = name.split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => ALPHABETS.filter((letters) => letters.test(word)).length > 1);
}

function visible(name: string): string {
  return name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

function latinOf(letter: string): string {
  const small = letter.toLowerCase();
  const latin = LOOK_ALIKES.get(small);
  if (latin === undefined) return letter;
  return small === letter ? latin : latin.toUpperCase();
}

/** Pairs of characters at the same place. */
function zip(from: string, to: string): [string, string][] {
  const targets = Array.from(to);
  return Array.from(from).map((letter, at) => [letter, targets[at] ?? letter]);
}
