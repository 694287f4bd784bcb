import { moveTheBooks } from "./move-the-books.js";
import { openTheDoor } from "./open-the-door.js";
import { planTheLibrary } from "./plan-the-library.js";
import type { Story } from "./story.js";

const STORIES = [planTheLibrary, moveTheBooks, openTheDoor] as const;

/** The story of a round, counted from 1; after the last one comes the first again. */
export function storyOf(round: number): Story {
  return STORIES[(round - 1) % STORIES.length] ?? planTheLibrary;
}
