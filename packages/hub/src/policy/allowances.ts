import type { Clock, Logger, RecordWrite, StoredRecord } from "@colloquy/protocol";
import type { Party } from "./arbiter.js";
import { burstOf } from "./rate-gate.js";

const MINUTE_MS = 60_000;
const RECORD_KIND = "meta";
const RECORD_PREFIX = "rate ";

/** How much of its `limits.rate` every sender has used. Only senders whose rule sets a rate are kept. */
export interface Allowances {
  /** Envelopes that count against a sender at this instant; 0 without a rate. */
  usedBy(sender: Party): number;
  /**
   * Counts one envelope. The record is to be written in the same commit, so that a restart, or a
   * kill, gives nothing back; null when the rule sets no rate.
   */
  take(sender: Party): RecordWrite | null;
  /** Takes one envelope back, because it was not stored. */
  giveBack(senderId: string): void;
  /** Forgets an agent that has unregistered. */
  drop(senderId: string): void;
  /** Takes up the records of a start. */
  restore(records: readonly StoredRecord[]): void;
}

/** What an agent has used, as of a time in epoch milliseconds. */
interface Usage {
  used: number;
  at: number;
}

/** Takes away the stored usage of an agent. */
export function usageRemoval(agentId: string): RecordWrite {
  return { kind: RECORD_KIND, id: RECORD_PREFIX + agentId, value: null };
}

/**
 * Makes the allowances of one hub.
 *
 * What is used shrinks by `per_minute` a minute, down to 0. A clock that steps back makes up for
 * nothing until it moves on, and from there at once; one that steps forward makes up for at most what
 * was used. A rule that changes counts from the next look on: what is used is never more than the
 * burst of the rule in force.
 */
export function createAllowances(clock: Clock, logger: Logger): Allowances {
  const usages = new Map<string, Usage>();
  const settle = (sender: Party): Usage => {
    const now = clock.now();
    const usage = usages.get(sender.id) ?? { used: 0, at: now };
    const elapsed = Math.max(0, now - usage.at);
    const spared = (elapsed * sender.rule.limits.rate.per_minute) / MINUTE_MS;
    usage.used = Math.max(0, Math.min(usage.used, burstOf(sender.rule)) - spared);
    usage.at = now;
    return usage;
  };
  return {
    usedBy: (sender) => (isLimited(sender) && usages.has(sender.id) ? settle(sender).used : 0),
    take(sender) {
      if (!isLimited(sender)) return null;
      const usage = settle(sender);
      usage.used += 1;
      usages.set(sender.id, usage);
      const value = JSON.stringify(usage);
      return { kind: RECORD_KIND, id: RECORD_PREFIX + sender.id, value };
    },
    giveBack(senderId) {
      const usage = usages.get(senderId);
      if (usage !== undefined) usage.used = Math.max(0, usage.used - 1);
    },
    drop: (senderId) => void usages.delete(senderId),
    restore(records) {
      for (const { kind, id, value } of records) {
        if (kind !== RECORD_KIND || !id.startsWith(RECORD_PREFIX)) continue;
        const usage = readUsage(value);
        if (usage !== null) usages.set(id.slice(RECORD_PREFIX.length), usage);
        else logger.error({ record: id }, "a stored record cannot be read");
      }
    },
  };
}

function isLimited({ rule }: Party): boolean {
  return rule.limits.rate.per_minute > 0;
}

function readUsage(value: string): Usage | null {
  try {
    const { used, at } = JSON.parse(value) as Record<keyof Usage, unknown>;
    return Number.isFinite(used) && Number.isFinite(at)
      ? { used: Number(used), at: Number(at) }
      : null;
  } catch {
    return null;
  }
}
