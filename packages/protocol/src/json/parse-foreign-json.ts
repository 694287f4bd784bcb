import { withoutForeignNumbers } from "./number-faults.js";
import { parseJson } from "./parse-json.js";

/** What a text with a number of other languages has somewhere. */
export const FOREIGN_NUMBER = /NaN|Infinity/;

/**
 * {@link parseJson} for what a hub in another language sends: `NaN` and `Infinity`, which Python
 * writes, are read as null, so that one of them does not hide the rest of a log.
 *
 * @throws InvalidInputError as {@link parseJson}
 */
export function parseForeignJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (typeof text !== "string" || !FOREIGN_NUMBER.test(text)) throw error;
    return parseJson(withoutForeignNumbers(text));
  }
}
