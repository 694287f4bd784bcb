/** Shown two cells wide: East Asian wide and full-width forms, and pictures. */
const WIDE =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
/** Takes no cell of its own. */
const NO_WIDTH = /^[\p{M}\u200c\u200d]+$/u;
const ASCII = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cells that a terminal needs for a text without control characters. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment);
  return width;
}

/**
 * Cuts a text to a width, never through a character, and ends it with `…` when something was cut.
 *
 * @param cells - width to keep to; below 1 nothing is left
 */
export function clipText(text: string, cells: number): string {
  if (cells < 1) return "";
  if (ASCII.test(text)) return text.length <= cells ? text : `${text.slice(0, cells - 1)}…`;
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += segmentWidth(segment);
    if (width > cells) return `${kept}…`;
    if (width < cells) kept += segment;
  }
  return text;
}

/** A text followed by blanks up to a width. */
export function padText(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - textWidth(text)));
}

function segmentWidth(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
