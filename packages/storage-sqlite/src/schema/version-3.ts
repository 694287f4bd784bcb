import { TEXT_INDEX } from "../search/text-index-table.js";

/** Schema version 3: what was said is found by an index, which is filled later. */
export const VERSION_3 = TEXT_INDEX;
