import { type LineFacts, noFacts } from "./line-facts.js";

/** Kept beyond the bound before the oldest are dropped together: a `Map` walks over the places of deleted entries. */
const SLACK = 512;
/** Recipients in all, per envelope that is kept. */
const RECIPIENTS_PER_RELEASE = 16;
/** Recipients up to which a list is searched from the front. */
const SHORT_LIST = 16;

/** What is kept of one released envelope. */
export interface RecentRelease {
  readonly envelopeId: string;
  readonly channelId: string;
  readonly position: number;
  /** Delegation depth; null for a release of an earlier process. */
  readonly depth: number | null;
  readonly recipients: readonly string[];
  /** Epoch milliseconds. */
  readonly releasedAt: number;
  /** Counts releases from 1, over restarts. */
  readonly sequence: number;
  /** Times that a recipient could not be reached, for those who live elsewhere or whose connection failed. */
  failures: number;
  /** By the index of the recipient: what is known beside what is outstanding. */
  lines: (LineFacts | undefined)[] | null;
  /** Index by recipient, for long lists. */
  index: ReadonlyMap<string, number> | null;
}

/** What is restored of one release. */
export type StoredRelease = Pick<
  RecentRelease,
  "envelopeId" | "channelId" | "position" | "recipients" | "releasedAt" | "sequence" | "lines"
>;

/** The newest releases of a hub, so that a ledger can still be shown once everything is settled. */
export interface RecentReleases {
  /** Id of the newest release of this process; empty before the first. */
  readonly newestId: string;
  readonly all: Iterable<RecentRelease>;
  add(
    release: Pick<
      RecentRelease,
      "envelopeId" | "channelId" | "position" | "depth" | "recipients" | "releasedAt"
    >,
  ): RecentRelease;
  get(envelopeId: string): RecentRelease | undefined;
  /** What is known of one recipient, ready to be changed; null when the release is not kept. */
  line(envelopeId: string, recipientId: string): LineFacts | null;
  /** Takes up releases of an earlier process, oldest first, before any is added. */
  restore(releases: Iterable<StoredRelease>): void;
}

/** Told what changes, for whoever writes it. */
export interface ReleaseWatch {
  changed(release: RecentRelease): void;
  dropped(release: RecentRelease): void;
}

/**
 * Makes an empty {@link RecentReleases} of so many envelopes.
 *
 * @param kept - envelopes that are kept; of all together 16 times as many recipients
 */
export function createRecentReleases(kept: number, watch: ReleaseWatch): RecentReleases {
  const recent = new Map<string, RecentRelease>();
  let recipientsKept = 0;
  let newestId = "";
  let sequence = 0;
  const isOver = (slack: number): boolean =>
    recent.size > kept + slack || recipientsKept > kept * RECIPIENTS_PER_RELEASE;
  const dropOldest = (): void => {
    for (const [envelopeId, release] of recent) {
      if (!isOver(0)) return;
      recent.delete(envelopeId);
      recipientsKept -= release.recipients.length;
      watch.dropped(release);
    }
  };
  const put = (release: RecentRelease): void => {
    recent.set(release.envelopeId, release);
    recipientsKept += release.recipients.length;
    sequence = release.sequence;
  };
  return {
    get newestId() {
      return newestId;
    },
    get all() {
      return recent.values();
    },
    get: (envelopeId) => recent.get(envelopeId),
    add({ envelopeId, channelId, position, depth, recipients, releasedAt }) {
      if (envelopeId > newestId) newestId = envelopeId;
      const release: RecentRelease = {
        envelopeId,
        channelId,
        position,
        depth,
        recipients,
        releasedAt,
        sequence: sequence + 1,
        failures: 0,
        lines: null,
        index: null,
      };
      put(release);
      if (isOver(Math.min(SLACK, kept))) dropOldest();
      watch.changed(release);
      return release;
    },
    line(envelopeId, recipientId) {
      const release = recent.get(envelopeId);
      const index = release === undefined ? -1 : indexOf(release, recipientId);
      if (release === undefined || index < 0) return null;
      watch.changed(release);
      // As long as it will be: an array that grows takes room for 17 at its first entry.
      release.lines ??= release.recipients.map(() => undefined);
      const line = release.lines[index] ?? noFacts();
      release.lines[index] = line;
      return line;
    },
    restore(releases) {
      for (const stored of releases) put({ ...stored, depth: null, failures: 0, index: null });
      if (isOver(0)) dropOldest();
    },
  };
}

/** What is kept of a recipient's line, without making one. */
export function lineOf(release: RecentRelease, recipientId: string): LineFacts | undefined {
  return release.lines?.[indexOf(release, recipientId)];
}

function indexOf(release: RecentRelease, recipientId: string): number {
  const { recipients } = release;
  if (recipients.length <= SHORT_LIST) return recipients.indexOf(recipientId);
  release.index ??= new Map(recipients.map((id, index) => [id, index]));
  return release.index.get(recipientId) ?? -1;
}
