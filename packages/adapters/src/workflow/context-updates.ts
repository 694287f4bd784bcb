import { type Envelope, EV_CONTEXT_SET, EV_PACKET } from "@colloquy/protocol";
import { isRecord, type JsonRecord, ownRecord } from "../json-record.js";

/** What an envelope does to the context variables: deletes first, then sets, in order. */
export interface ContextUpdates {
  readonly deletes: readonly string[];
  readonly sets: readonly JsonRecord[];
}

/**
 * Reads the updates of an envelope.
 *
 * EV_CONTEXT_SET carries `delete` and `set` itself, a packet under `context_updates`; what a packet
 * has under `context` is set last. Anything of another shape is no update.
 */
export function contextUpdatesOf(envelope: Envelope): ContextUpdates {
  const { event_type, event_data } = envelope;
  if (event_type === EV_CONTEXT_SET) return readUpdates(event_data, null);
  if (event_type !== EV_PACKET) return readUpdates(null, null);
  return readUpdates(ownRecord(event_data, "context_updates"), ownRecord(event_data, "context"));
}

/**
 * The variables after the updates; the same object when there are none.
 *
 * Keys are own properties and nothing else, whatever they are called; `__proto__` is never set.
 */
export function applyContextUpdates(vars: JsonRecord, updates: ContextUpdates): JsonRecord {
  if (updates.deletes.length === 0 && updates.sets.length === 0) return vars;
  const next: Record<string, unknown> = { ...vars };
  for (const key of updates.deletes) delete next[key];
  for (const set of updates.sets) {
    for (const [key, value] of Object.entries(set)) {
      if (key !== "__proto__") next[key] = value;
    }
  }
  return next;
}

function readUpdates(updates: JsonRecord | null, context: JsonRecord | null): ContextUpdates {
  const set = updates === null ? null : ownRecord(updates, "set");
  const deletes = updates !== null && Object.hasOwn(updates, "delete") ? updates["delete"] : [];
  return {
    deletes: Array.isArray(deletes) ? deletes.filter((key) => typeof key === "string") : [],
    sets: [set, context].filter(isRecord),
  };
}
