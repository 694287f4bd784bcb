import type { AuditMatch, AuditRecord } from "../ports/store.js";

/** Subjects of one record by which it can be found; of a longer list the first so many. */
export const MAX_AUDIT_SUBJECTS = 64;

/** Fields that name one agent, or a list of them. */
const AGENT_FIELDS = [
  "agent_id",
  "owner_id",
  "creator_id",
  "sender_id",
  "recipient_id",
  "agents",
  "violators",
  "participants",
] as const;

/**
 * What a record is about, as a store indexes it: `agent:`, `channel:`, `refusal:` and `key:` with
 * the id, each once. Agents are those in the fields `agent_id`, `owner_id`, `creator_id`, `sender_id`,
 * `recipient_id`, `agents`, `violators` and `participants`.
 */
export function auditSubjects(record: AuditRecord): readonly string[] {
  const subjects = new Set<string>();
  const add = (kind: string, value: unknown): void => {
    if (typeof value === "string" && subjects.size < MAX_AUDIT_SUBJECTS) {
      subjects.add(`${kind}:${value}`);
    }
  };
  add("channel", record["channel_id"]);
  add("refusal", record["refusal_id"]);
  add("key", record["idempotency_key"]);
  for (const field of AGENT_FIELDS) {
    const value = record[field];
    if (Array.isArray(value)) for (const one of value as readonly unknown[]) add("agent", one);
    else add("agent", value);
  }
  return [...subjects];
}

/** The subjects that a filter asks for; the rarest kind comes first. */
export function wantedSubjects(match: AuditMatch): readonly string[] {
  const wanted: string[] = [];
  if (match.refusal_id !== undefined) wanted.push(`refusal:${match.refusal_id}`);
  if (match.idempotency_key !== undefined) wanted.push(`key:${match.idempotency_key}`);
  if (match.channel_id !== undefined) wanted.push(`channel:${match.channel_id}`);
  if (match.agent_id !== undefined) wanted.push(`agent:${match.agent_id}`);
  return wanted;
}

/** True if a record matches everything that is asked for. */
export function matchesAudit(record: AuditRecord, match: AuditMatch): boolean {
  const { kinds, from, to } = match;
  if (kinds !== undefined && !kinds.includes(record.kind)) return false;
  if (from !== undefined && record.at < from) return false;
  if (to !== undefined && record.at >= to) return false;
  const wanted = wantedSubjects(match);
  if (wanted.length === 0) return true;
  const subjects = auditSubjects(record);
  return wanted.every((subject) => subjects.includes(subject));
}
