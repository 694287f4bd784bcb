/** Every bound of a hub. Each has a default, can be set at open, and is a clear error when hit. */
export interface HubLimits {
  /** Milliseconds within which every invitee must answer; then the open fails with `invite_timeout`. */
  readonly inviteAckTimeoutMs: number;
  /** Milliseconds within which a channel that winds up closes, whatever is outstanding by then. */
  readonly closingTimeoutMs: number;
  /** Milliseconds without a bound agent or an accepted request after which a connection is closed (4001). */
  readonly helloDeadlineMs: number;
  /** Connections without a bound agent at one time; a further one is closed at once (4003). */
  readonly maxUnboundConnections: number;
  /** Agents that one connection may bind. */
  readonly maxAgentsPerConnection: number;
  /** Times in a minute that one agent may move from one live connection to another; further ones are refused with `rate_limited`. */
  readonly maxSwapsPerMinute: number;
  /** Requests of one connection that may be under way; further ones are refused with `unavailable`. */
  readonly maxRequestsInFlight: number;
  /** Bytes of messages of one connection that wait for their answer; a further one is refused with `unavailable`, unless it is the only one. */
  readonly maxUnansweredBytes: number;
  /** The same of all connections together. */
  readonly maxHubUnansweredBytes: number;
  /** Bytes waiting to leave on one connection; beyond it the slow reader is closed (4008) and resumes later. */
  readonly maxBufferedBytes: number;
  /** Pieces of answers that one connection may send in a second; further ones are dropped. */
  readonly maxDeltasPerSecond: number;
  /** Characters of one piece; a longer one is dropped. */
  readonly maxDeltaCharacters: number;
  /** Notifies sent to one agent and not yet settled; the rest waits in the store. */
  readonly deliveryWindow: number;
  /** Milliseconds before a nacked envelope is sent again; doubles per attempt. */
  readonly redeliveryBaseMs: number;
  /** Longest of those waits. */
  readonly redeliveryMaxMs: number;
  /** Attempts before an envelope is given up and recorded as dead for that recipient. */
  readonly maxDeliveryAttempts: number;
  /** Newest envelopes of the hub whose ledger is kept, in memory and in the store; of all together 16 times as many recipients. */
  readonly ledgerEnvelopes: number;
  /** Dead letters that are kept; beyond it the oldest is dropped, of the recipient that has more than its share. */
  readonly maxDeadLetters: number;
  /** Milliseconds within which a remote proxy must take an envelope; then the attempt has failed. */
  readonly remoteDispatchTimeoutMs: number;
  /** Parts of one envelope: pictures, sounds, documents, captions. */
  readonly maxParts: number;
  /** Bytes of data that the parts of one envelope carry, before base64. */
  readonly maxInlinePartBytes: number;
  /** UTF-8 bytes of one envelope's JSON. */
  readonly maxEnvelopeBytes: number;
  /** Participants of one channel, its creator included; at most `MAX_AUDIENCE` of the protocol. */
  readonly maxParticipants: number;
  /** Newest envelopes of a channel over which idempotency keys and causation are remembered. */
  readonly rememberedEnvelopes: number;
  /** Envelopes between two snapshots of a channel's state. */
  readonly snapshotEvery: number;
  /** Channels that have ended and are kept in memory for readers. */
  readonly endedChannelsInMemory: number;
  /** Envelopes staged and not yet committed; beyond it posts are refused with `unavailable`. */
  readonly maxStagedEnvelopes: number;
  /** Bytes of their JSON, a character counted as one; beyond it posts are refused with `unavailable`. */
  readonly maxStagedBytes: number;
  /** UTF-8 bytes of one answer on the bare profile, whose clients take no larger message. */
  readonly maxBareAnswerBytes: number;
  /** Milliseconds that `drain` waits for what is under way. */
  readonly drainTimeoutMs: number;
  /** UTF-8 bytes of JSON of a task's checkpoint, and of its record with all progress. */
  readonly maxCheckpointBytes: number;
  /** API keys that the hub keeps; the oldest that are over make room, and while all of them count no further one is issued. */
  readonly maxApiKeys: number;
  /** Milliseconds before the end of a credential at which its peer is asked to renew it. */
  readonly credentialNoticeMs: number;
  /** Tasks that have ended and are kept in memory for readers; older ones are read from the store. */
  readonly endedTasksInMemory: number;
  /** Newest tasks of each agent whose outcome is not counted again, whoever repeats it. */
  readonly countedTasksPerAgent: number;
  /** UTF-8 bytes of JSON of one agent's resume, with what was observed of it. */
  readonly maxResumeBytes: number;
  /** UTF-8 bytes of one agent's skill text. */
  readonly maxSkillBytes: number;
  /** UTF-8 bytes of JSON of one channel's labels, its intent among them. */
  readonly maxLabelBytes: number;
  /** Agents that are registered at one time. */
  readonly maxAgents: number;
  /** Refusals of one kind with one code to one actor in a minute that are written to the audit log one by one; the rest is counted. */
  readonly auditedRefusalsPerMinute: number;
  /** Records of the audit log in the store; beyond it the oldest are pruned, some at a time. */
  readonly maxAuditRecords: number;
  /** Milliseconds after which an audit record is pruned; 0 is never. */
  readonly maxAuditAgeMs: number;
  /** Milliseconds within which the store must commit a health check's record; then the hub is not ready. */
  readonly healthProbeTimeoutMs: number;
  /** Milliseconds for which a health report is given again; 0 makes a new one each time. */
  readonly healthCacheMs: number;
  /** Bytes that must be free on the store's disk; below it the hub is not ready. 0 is off. */
  readonly minFreeDiskBytes: number;
  /** Milliseconds that an envelope may wait for a connected agent before health is degraded. */
  readonly maxDeliveryLagMs: number;
  /** Milliseconds after which a turn that was taken up and is not answered counts as stuck, and health is degraded. */
  readonly stuckTurnMs: number;
}

/** Defaults of {@link HubLimits}. */
export const DEFAULT_HUB_LIMITS: HubLimits = {
  inviteAckTimeoutMs: 30_000,
  closingTimeoutMs: 30_000,
  helloDeadlineMs: 10_000,
  maxUnboundConnections: 1_000,
  maxAgentsPerConnection: 1_000,
  maxSwapsPerMinute: 30,
  maxRequestsInFlight: 1_024,
  maxUnansweredBytes: 64 * 1024 * 1024,
  maxHubUnansweredBytes: 512 * 1024 * 1024,
  maxBufferedBytes: 8 * 1024 * 1024,
  maxDeltasPerSecond: 1_000,
  maxDeltaCharacters: 16_384,
  deliveryWindow: 1_024,
  redeliveryBaseMs: 1_000,
  redeliveryMaxMs: 60_000,
  maxDeliveryAttempts: 8,
  ledgerEnvelopes: 4_096,
  maxDeadLetters: 10_000,
  remoteDispatchTimeoutMs: 30_000,
  maxParts: 16,
  maxInlinePartBytes: 262_144,
  maxEnvelopeBytes: 1_000_000,
  maxParticipants: 10_000,
  rememberedEnvelopes: 1_024,
  snapshotEvery: 100,
  endedChannelsInMemory: 256,
  maxStagedEnvelopes: 65_536,
  maxStagedBytes: 256 * 1024 * 1024,
  maxBareAnswerBytes: 1_048_576,
  drainTimeoutMs: 10_000,
  maxCheckpointBytes: 1_000_000,
  maxApiKeys: 10_000,
  credentialNoticeMs: 60_000,
  endedTasksInMemory: 1_000,
  countedTasksPerAgent: 1_000,
  maxResumeBytes: 65_536,
  maxSkillBytes: 262_144,
  maxLabelBytes: 16_384,
  maxAgents: 100_000,
  auditedRefusalsPerMinute: 60,
  maxAuditRecords: 1_000_000,
  maxAuditAgeMs: 0,
  healthProbeTimeoutMs: 5_000,
  healthCacheMs: 1_000,
  minFreeDiskBytes: 256 * 1024 * 1024,
  maxDeliveryLagMs: 30_000,
  stuckTurnMs: 900_000,
};

/** Limits that may be 0; a hub with another one at 0 could do nothing at all. */
const MAY_BE_ZERO: ReadonlySet<keyof HubLimits> = new Set<keyof HubLimits>([
  "auditedRefusalsPerMinute",
  "maxAuditAgeMs",
  "drainTimeoutMs",
  "endedChannelsInMemory",
  "healthCacheMs",
  "minFreeDiskBytes",
  "maxDeadLetters",
  "maxDeltasPerSecond",
  "maxUnboundConnections",
  "redeliveryBaseMs",
  "redeliveryMaxMs",
  "rememberedEnvelopes",
]);

/** The least value of a limit: 0 or 1. */
export function leastLimit(name: keyof HubLimits): 0 | 1 {
  return MAY_BE_ZERO.has(name) ? 0 : 1;
}
