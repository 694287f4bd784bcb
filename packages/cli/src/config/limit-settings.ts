import { DEFAULT_HUB_LIMITS, type HubLimits, leastLimit } from "@colloquy/hub";
import * as z from "zod";

/** Unit and meaning of each bound of a hub; a new bound does not compile until it is told here. */
const LIMITS: { readonly [K in keyof HubLimits]: readonly [unit: string, about: string] } = {
  inviteAckTimeoutMs: [
    "ms",
    "How long every invitee has to answer before opening a channel fails.",
  ],
  closingTimeoutMs: ["ms", "How long a channel that winds up has before it closes in any case."],
  helloDeadlineMs: [
    "ms",
    "How long a connection may live without an agent or an accepted request.",
  ],
  maxUnboundConnections: ["connections", "Connections without an agent at one time."],
  maxAgentsPerConnection: ["agents", "Agents that one connection may speak for."],
  maxSwapsPerMinute: ["swaps", "Moves of one agent between live connections in a minute."],
  maxRequestsInFlight: ["requests", "Requests of one connection that may be under way."],
  maxUnansweredBytes: ["bytes", "Messages of one connection that wait for their answer."],
  maxHubUnansweredBytes: ["bytes", "Messages of all connections that wait for their answer."],
  maxBufferedBytes: ["bytes", "Bytes waiting for one slow reader before its connection is closed."],
  maxDeltasPerSecond: [
    "pieces",
    "Pieces of answers that one connection may send in a second; 0 is none.",
  ],
  maxDeltaCharacters: ["characters", "Length of one piece of an answer."],
  deliveryWindow: ["envelopes", "Envelopes sent to one agent and not yet settled."],
  redeliveryBaseMs: ["ms", "Wait before a refused envelope is sent again; doubles per attempt."],
  redeliveryMaxMs: ["ms", "Longest of those waits."],
  maxDeliveryAttempts: ["attempts", "Attempts before an envelope is given up for a recipient."],
  ledgerEnvelopes: ["envelopes", "Newest envelopes of the hub whose ledger is kept."],
  maxDeadLetters: ["letters", "Envelopes given up for a recipient that are kept to be retried."],
  remoteDispatchTimeoutMs: ["ms", "How long a remote proxy has to take an envelope."],
  maxParts: ["parts", "Pictures, sounds, documents and captions of one envelope."],
  maxInlinePartBytes: ["bytes", "Data that the parts of one envelope carry, before base64."],
  maxEnvelopeBytes: ["bytes", "Size of one envelope's JSON."],
  maxParticipants: ["participants", "Participants of one channel."],
  rememberedEnvelopes: ["envelopes", "Newest envelopes of a channel whose repeats are recognised."],
  snapshotEvery: ["envelopes", "Envelopes between two snapshots of a channel's state."],
  endedChannelsInMemory: [
    "channels",
    "Channels that have ended and are kept in memory for readers.",
  ],
  maxStagedEnvelopes: ["envelopes", "Envelopes waiting for their commit before posts are refused."],
  maxStagedBytes: ["bytes", "Bytes of them before posts are refused."],
  maxBareAnswerBytes: ["bytes", "Size of one answer to a client of the bare profile."],
  drainTimeoutMs: ["ms", "How long a stop waits for what is under way."],
  maxCheckpointBytes: ["bytes", "Size of one task checkpoint's JSON."],
  maxApiKeys: ["keys", "API keys that the hub keeps."],
  credentialNoticeMs: ["ms", "How long before its end a peer is asked to renew a credential."],
  endedTasksInMemory: ["tasks", "Tasks that have ended and are kept in memory for readers."],
  countedTasksPerAgent: ["tasks", "Newest tasks of each agent whose repeats are not counted."],
  maxResumeBytes: ["bytes", "Size of one resume's JSON, with what was observed."],
  maxSkillBytes: ["bytes", "Size of one skill text."],
  maxLabelBytes: ["bytes", "Size of one channel's labels as JSON."],
  maxAgents: ["agents", "Agents registered at one time."],
  auditedRefusalsPerMinute: ["refusals", "Refusals of one kind to one actor audited one by one."],
  maxAuditRecords: ["records", "Records of the audit log; beyond it the oldest are pruned."],
  maxAuditAgeMs: ["ms", "Age at which an audit record is pruned; 0 is never."],
  healthProbeTimeoutMs: ["ms", "How long the store has to commit a health check's record."],
  healthCacheMs: ["ms", "How long a health report is given again."],
  minFreeDiskBytes: ["bytes", "Free bytes on the store's disk below which the hub is not ready."],
  maxDeliveryLagMs: ["ms", "Wait for a connected agent beyond which health is degraded."],
  stuckTurnMs: ["ms", "How long a turn may run before it counts as stuck."],
};

/** The bounds of a hub as settings. Every one is a whole number from its least value up. */
export const limitSettings = z.strictObject(
  Object.fromEntries(
    (Object.keys(LIMITS) as (keyof HubLimits)[]).map((key) => [key, limitSetting(key)]),
  ) as { [K in keyof HubLimits]: ReturnType<typeof limitSetting> },
);

function limitSetting(key: keyof HubLimits) {
  const [unit, description] = LIMITS[key];
  return z.int().min(leastLimit(key)).default(DEFAULT_HUB_LIMITS[key]).meta({ unit, description });
}
