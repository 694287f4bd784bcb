import { type AuditMatch, type AuditRecord, matchesAudit } from "@colloquy/protocol";

/** Those who hear of every new record that matches what they asked for. */
export interface AuditSubscribers {
  /** Returns how to stop. */
  add(callback: (record: AuditRecord) => void, match?: AuditMatch): () => void;
  /** Calls everybody at once, in order; one that throws hurts nobody. */
  tell(record: AuditRecord): void;
}

/** Makes an empty set of {@link AuditSubscribers}. */
export function createAuditSubscribers(): AuditSubscribers {
  let subscribers: readonly ((record: AuditRecord) => void)[] = [];
  return {
    add(callback, match) {
      const own = (record: AuditRecord): void => {
        if (match === undefined || matchesAudit(record, match)) callback(record);
      };
      subscribers = [...subscribers, own];
      return () => {
        subscribers = subscribers.filter((other) => other !== own);
      };
    },
    tell(record) {
      for (const callback of subscribers) {
        try {
          callback(record);
        } catch {
          // The log is what counts; a subscriber's fault is its own.
        }
      }
    },
  };
}
