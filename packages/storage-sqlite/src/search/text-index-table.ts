/**
 * The index of what was said, by every three characters that follow one another in the folded text.
 *
 * It holds rows of the log up to the mark `text_to` and is written after the commits, never in one.
 * It keeps no text and no places in it (`content=''`, `detail=none`): a hit is a candidate, and the
 * log itself decides. So it may be made anew at any time; all that is lost until then is speed.
 */
export const TEXT_INDEX = `
CREATE VIRTUAL TABLE text_index USING fts5 (
  text, content = '', detail = none, columnsize = 0, tokenize = 'trigram'
);
`;

/** Mark up to whose row the index holds the log. */
export const TEXT_TO = "text_to";
/** Mark that says in which form the index was written. */
export const TEXT_FORM = "text_form";
/** Raise it whenever `indexedText`, `spokenText` or `foldText` changes: stores then index anew. */
export const CURRENT_TEXT_FORM = 1;
