/** What a model provider takes as the name of a speaker. */
const FITS = /^[A-Za-z0-9_-]{1,64}$/;
/** Characters of a handle that come from the name, where a mark follows them. */
const READABLE_LENGTH = 55;
/** The same where an agent's id of 32 characters follows. */
const STEM_LENGTH = 31;

/**
 * Handle of a name for model providers that accept only `[A-Za-z0-9_-]{1,64}`.
 *
 * A name that already fits is returned as it is. Any other keeps what is readable of it and gets a mark computed from the
 * whole name, so that the same name always has the same handle. Two names may share one by accident or by intent: within
 * a hub use {@link chooseHandle}.
 *
 * @param name - any text
 */
export function providerHandle(name: string): string {
  if (FITS.test(name)) return name;
  const readable = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, READABLE_LENGTH);
  return `${readable === "" ? "agent" : readable}-${hash(name)}`;
}

/**
 * Handle of an agent that no other agent of its hub has: that of its name, or, where that is taken, one with its id.
 *
 * @param name - the agent's name
 * @param agentId - its id
 * @param isTaken - tells whether another agent has a handle
 */
export function chooseHandle(
  name: string,
  agentId: string,
  isTaken: (handle: string) => boolean,
): string {
  const plain = providerHandle(name);
  if (!isTaken(plain)) return plain;
  const own = `${plain.slice(0, STEM_LENGTH)}-${agentId}`;
  // Names of the form of an id are refused, so the bare id is free.
  return FITS.test(own) && !isTaken(own) ? own : agentId;
}

/** FNV-1a over UTF-16 code units, as eight hex digits: short and stable, no defence against an attacker. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
