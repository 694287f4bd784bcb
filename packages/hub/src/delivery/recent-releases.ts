import type { LedgerLine } from "./delivery.js";

/** Envelopes over the whole hub whose recipients are remembered after they have settled. */
const MAX_RECENT = 4_096;
/** Kept beyond that before the oldest are dropped together: a `Map` walks over the places of deleted entries. */
const SLACK = 512;
/** Their recipients in all. */
const MAX_RECIPIENTS = 131_072;

/** What is kept of one released envelope. */
export interface RecentRelease {
  readonly channelId: string;
  readonly recipients: readonly string[];
  /** How it ended for those with whom it did not simply end in an acknowledgement. */
  outcomes: Map<string, Pick<LedgerLine, "state" | "attempt" | "reason">> | null;
}

/** The newest releases of a hub, so that a ledger can still be shown once everything is settled. */
export interface RecentReleases {
  /** Id of the newest release; empty before the first. */
  readonly newestId: string;
  add(envelopeId: string, channelId: string, recipients: readonly string[]): void;
  get(envelopeId: string): RecentRelease | undefined;
  /** Notes how it ended for one recipient. */
  note(
    envelopeId: string,
    recipientId: string,
    outcome: Pick<LedgerLine, "state" | "attempt" | "reason">,
  ): void;
}

/** Makes an empty {@link RecentReleases}. */
export function createRecentReleases(): RecentReleases {
  const recent = new Map<string, RecentRelease>();
  let recipientsKept = 0;
  let newestId = "";
  const dropOldest = (): void => {
    for (const [envelopeId, release] of recent) {
      if (recent.size <= MAX_RECENT && recipientsKept <= MAX_RECIPIENTS) return;
      recent.delete(envelopeId);
      recipientsKept -= release.recipients.length;
    }
  };
  return {
    get newestId() {
      return newestId;
    },
    get: (envelopeId) => recent.get(envelopeId),
    add(envelopeId, channelId, recipients) {
      if (envelopeId > newestId) newestId = envelopeId;
      recent.set(envelopeId, { channelId, recipients, outcomes: null });
      recipientsKept += recipients.length;
      if (recent.size > MAX_RECENT + SLACK || recipientsKept > MAX_RECIPIENTS) dropOldest();
    },
    note(envelopeId, recipientId, outcome) {
      const release = recent.get(envelopeId);
      if (release === undefined) return;
      release.outcomes ??= new Map();
      release.outcomes.set(recipientId, outcome);
    },
  };
}
