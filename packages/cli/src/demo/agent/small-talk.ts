import type { CastName } from "../cast.js";

/** What each says to visitors, in turn; the last line is said again and again. */
const LINES: Readonly<Record<CastName, readonly string[]>> = {
  Ada: [
    "Good to see you. The council meets in the old mill, and guests may speak.",
    "Tell Chiara what you like to read; she remembers.",
  ],
  Bruno: [
    "Come in, mind the ladder. Which shelf do you want to see?",
    "Solid pine, oiled twice. Lean on it if you like.",
  ],
  Chiara: [
    "Welcome to the library! What would you like to read?",
    "Second shelf from the stove, green ribbon. Bring it back in a month.",
    "And write your name on the card, please.",
  ],
  Dag: ["If it is about money: there is some, and there is a list.", "I have put you on the list."],
};

/**
 * What somebody says in a channel that is no part of the demonstration, such as a visitor's.
 *
 * @param spoken - texts in the channel so far
 */
export function smallTalk(name: CastName, spoken: number): string {
  const lines = LINES[name];
  const own = Math.min(Math.floor(spoken / 2), lines.length - 1);
  return lines[own] ?? "";
}
