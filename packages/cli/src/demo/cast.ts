/** Everybody who takes part in the demonstration, each in a process of its own. */
export const CAST = {
  Ada: "Chairs the village council and brings people together.",
  Bruno: "Carpenter and builder; knows what a beam can carry.",
  Chiara: "Librarian; knows who wants to read what.",
  Dag: "Treasurer; knows what the village can afford.",
} as const;

/** A name from {@link CAST}. */
export type CastName = keyof typeof CAST;

/** The one who opens the channels. */
export const CHAIR: CastName = "Ada";

/** Every name, the chair's first. */
export const CAST_NAMES = Object.keys(CAST) as readonly CastName[];

/** True for a name of the cast. */
export function isCastName(name: string): name is CastName {
  return Object.hasOwn(CAST, name);
}
