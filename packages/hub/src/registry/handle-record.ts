import type { RecordWrite, StoredRecord } from "@colloquy/protocol";

const PREFIX = "handle ";

/**
 * The record of a handle that does not follow from its agent's name: kind `meta`, one per agent.
 *
 * @param handle - null deletes it
 */
export function handleRecord(agentId: string, handle: string | null): RecordWrite {
  const value = handle === null ? null : JSON.stringify(handle);
  return { kind: "meta", id: PREFIX + agentId, value };
}

/** Handles by agent id, of the records of a start. */
export function readHandles(records: readonly StoredRecord[]): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  for (const { kind, id, value } of records) {
    if (kind !== "meta" || !id.startsWith(PREFIX)) continue;
    const handle = parse(value);
    if (handle !== null) handles.set(id.slice(PREFIX.length), handle);
  }
  return handles;
}

/** One that cannot be read is made anew. */
function parse(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : null;
  } catch {
    return null;
  }
}
