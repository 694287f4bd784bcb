/** An id as hubs make them. */
const ID = /\b[0-9a-f]{32}\b/g;
/** What stands for one in a recording. */
const MARK = /<id-(\d+)>/g;
/** A moment in ISO 8601, as hubs and machines write it. */
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})/g;
/** What stands for a moment. */
const TIME_MARK = "<time>";

/** Takes out of texts what is new in every run, and puts it in again. */
export interface StableIds {
  /** The text with a mark in place of each id and moment. */
  hide(text: string): string;
  /** The text with marks in place of the ids that were seen before. */
  hideKnown(text: string): string;
  /** The text with the ids of this run in place of their marks. */
  show(text: string): string;
}

/**
 * Makes {@link StableIds} for one request and its answer.
 *
 * Ids are numbered in the order in which they first stand in the request, so that two runs of one
 * conversation have the same marks. Moments are all marked alike and are not put in again.
 */
export function createStableIds(): StableIds {
  const ids: string[] = [];
  const known = (id: string): string => {
    const at = ids.indexOf(id);
    return at < 0 ? id : `<id-${at + 1}>`;
  };
  return {
    hide(text) {
      const marked = text.replace(ID, (id) => {
        if (!ids.includes(id)) ids.push(id);
        return known(id);
      });
      return marked.replace(TIME, TIME_MARK);
    },
    hideKnown: (text) => text.replace(ID, known),
    show: (text) => text.replace(MARK, (mark, number) => ids[Number(number) - 1] ?? mark),
  };
}
