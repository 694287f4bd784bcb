import type {
  AuditRecord,
  ChannelWrite,
  DeliveryRecord,
  RecordWrite,
  Snapshot,
  StoredEnvelope,
} from "@colloquy/protocol";

/** Durable work that belongs together, with what to do when its fate is known. */
export interface StagedWork {
  readonly envelopes?: readonly StoredEnvelope[];
  readonly channels?: readonly ChannelWrite[];
  readonly records?: readonly RecordWrite[] | undefined;
  /** Delivery records that must not be lost. */
  readonly deliveries?: readonly DeliveryRecord[];
  /** Audit records that must not be lost. */
  readonly audit?: readonly AuditRecord[];
  /** Called once it is durable, in the order of staging, before any promise of the batch resolves. Must not throw. */
  onCommitted?(): void;
  /** Called once it has failed; nothing of it is stored. Must not throw. */
  onFailed?(error: Error): void;
}

/**
 * Gathers staged work into group commits: one in flight, the next starts when it has ended.
 *
 * - R1: work commits in the order in which it was staged; all of one work or nothing.
 * - R2: after a failed commit everything staged on top of it fails as well, memory of the touched
 *   channels is dropped (they are read again from the store), and later work goes on.
 */
export interface Committer {
  /** Resolves when durable; rejects with `StoreError`, or with `UnavailableError` after `stop`. */
  stage(work: StagedWork): Promise<void>;
  /** As `stage`, where the work's own callbacks tell its fate; throws `UnavailableError` after `stop`. */
  enqueue(work: StagedWork): void;
  /** Rides along with the next commit, or goes by itself soon. Per agent and channel the newest delivery record wins, per kind and id the newest record. After `stop` it does nothing. */
  lazily(part: {
    readonly deliveries?: readonly DeliveryRecord[];
    readonly audit?: readonly AuditRecord[];
    readonly snapshots?: readonly Snapshot[];
    readonly records?: readonly RecordWrite[];
    /** Takes away the audit records up to this place, with what is added here. */
    readonly prune_audit_to?: number;
  }): void;
  /** Throws `UnavailableError` exactly when `enqueue` would now. */
  requireRunning(): void;
  /** Row number for the next envelope; each call takes one. Throws `UnavailableError` after `stop`. */
  takeRow(): number;
  /** Envelopes staged and not yet committed. */
  readonly staged: number;
  /** Bytes of their JSON, a character counted as one. */
  readonly stagedBytes: number;
  /** Null while commits work; otherwise why the newest one failed. */
  readonly failure: Error | null;
  /** Resolves when nothing is staged and the lazy part is written. */
  flush(): Promise<void>;
  /** Refuses further work; what is staged still commits. */
  stop(): void;
}
