import { foldName, unquoteName } from "@colloquy/protocol";

/**
 * The id of a participant by its id or its name; null when nobody is meant.
 *
 * An exact id comes first, then an exact name, then the only name that is the same once case, blanks
 * and the quotation marks around it are levelled.
 *
 * @param names - id to name
 */
export function findParticipant(
  nameOrId: string,
  names: Readonly<Record<string, string>>,
): string | null {
  if (Object.hasOwn(names, nameOrId)) return nameOrId;
  const ids = Object.keys(names);
  const exact = ids.find((id) => names[id] === nameOrId);
  if (exact !== undefined) return exact;
  const bare = unquoteName(nameOrId);
  if (Object.hasOwn(names, bare)) return bare;
  const wanted = foldName(bare);
  const alike = ids.filter((id) => foldName(names[id] ?? "") === wanted);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
