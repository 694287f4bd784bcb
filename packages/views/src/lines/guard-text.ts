import { SUMMARY_HEADING } from "../summary/summary-heading.js";

/** Put before a line that would pass for something else: it reads as a quotation. */
export const QUOTE_MARK = "> ";

/** Every break after which a reader sees a new line, kept by `split`. */
const LINE_BREAK = /(\r\n|[\n\r\v\f\u0085\u2028\u2029])/u;
/** Characters before a label, and within it before the colon, that a reader does not see. */
const UNSEEN = "[\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]*";
const LABEL = new RegExp(`^${UNSEEN}[[［][^\\]］]*[\\]］]${UNSEEN}[:：﹕]`, "u");
const HEADING = new RegExp(`^${UNSEEN}${escapeForPattern(SUMMARY_HEADING)}`, "u");
/** Without one of these nothing can be forged. */
const OPENING = /[[［]/;

/** What {@link guardText} looks for. */
export interface GuardOptions {
  /** True where speakers are labelled: lines that begin like a label are quoted too. */
  readonly labels: boolean;
  /** True when the text stands right behind a label, so that its first line cannot be mistaken. */
  readonly behindLabel: boolean;
}

/**
 * Makes sure that no line of one speaker's text can be read as the hub's or as another speaker's.
 *
 * A line that begins with a label (`[…]:`) or with the heading of a summary is shown as a quotation,
 * with {@link QUOTE_MARK} before it. All other text comes back as it is.
 */
export function guardText(text: string, { labels, behindLabel }: GuardOptions): string {
  if (!OPENING.test(text)) return text;
  return text
    .split(LINE_BREAK)
    .map((line, index) => {
      const isBreak = index % 2 === 1;
      if (isBreak || (behindLabel && index === 0)) return line;
      return HEADING.test(line) || (labels && LABEL.test(line)) ? QUOTE_MARK + line : line;
    })
    .join("");
}

function escapeForPattern(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}
