/** The hub: registry, channels, admission, delivery, governance and observation, without sockets. */
export { type ApiKeyOptions, createApiKeyAuth } from "./auth/api-key-auth.js";
export type {
  Authenticator,
  AuthRegistry,
  Credential,
  CredentialState,
} from "./auth/auth-registry.js";
export type { ApiKeys, IssueKey, RotateKey } from "./auth/keys/api-keys.js";
export {
  auditOfKey,
  createKeyRing,
  type KeyChange,
  type KeyRing,
  type KeyRingPorts,
} from "./auth/keys/key-ring.js";
export { createNoAuth } from "./auth/no-auth.js";
export type { OperatorAccess, OperatorGate, OperatorProof } from "./auth/operator-gate.js";
export type { HubOptions } from "./context/options.js";
export { DEFAULT_HUB_LIMITS, type HubLimits, leastLimit } from "./core/hub-limits.js";
export type { DeadLetterFilter, DeadLetterPage } from "./delivery/dead-letter-page.js";
export type {
  ExpectationEvaluator,
  ExpectationFacts,
  FactPart,
  OpenCondition,
  WatchedTurn,
} from "./expectations/evaluator.js";
export type { Violation, ViolationHandler } from "./expectations/handler.js";
export type { NextExpectation } from "./expectations/next-expectation.js";
export type {
  CheckStatus,
  HealthCheck,
  HealthChecks,
  HealthReport,
  StuckTurn,
} from "./health/report.js";
export type {
  AgentFilter,
  CreateChannel,
  EnvelopePage,
  Hub,
  Posted,
  RegisterIdentity,
  StateAt,
  TurnContext,
} from "./hub.js";
export type { EmptyInbox } from "./inbox/inbox-verbs.js";
export type { Moment, WatchFacts } from "./live/channel-watch.js";
export { readSnapshot, type SnapshotContent } from "./live/snapshot.js";
export type {
  AuditEntry,
  AuditLog,
  AuditPage,
  StagedAudit,
} from "./observe/audit-log.js";
export type { HubHealth } from "./observe/health.js";
export type {
  AgentEventKind,
  ChannelEventKind,
  HubListener,
  TurnFailure,
} from "./observe/hub-listener.js";
export type { HubMeters } from "./observe/hub-meters.js";
export type { EnvelopeEnd, EnvelopeSpan, HubTracing } from "./observe/hub-tracing.js";
export { createMemoryAuditLog, type MemoryAuditLogOptions } from "./observe/memory-audit-log.js";
export type { Refusal, RefusalFacts, RefusedThing } from "./observe/refusal.js";
export {
  AUDIT_PRUNED,
  type AuditFault,
  type AuditFinding,
  verifyAudit,
} from "./observe/verify-audit.js";
export { openHub } from "./open-hub.js";
export { createAllowAllArbiter } from "./policy/allow-all-arbiter.js";
export {
  ALLOW,
  type Arbiter,
  type AudienceVerdict,
  type Denial,
  type DispatchRequest,
  type Gate,
  type InboxRequest,
  NOBODY,
  type OpenRequest,
  type Party,
  type RateRequest,
  type RegisterRequest,
  type SendRequest,
  type TaskRequest,
  type UnknownAudienceRequest,
  type Verdict,
} from "./policy/arbiter.js";
export { composeArbiter } from "./policy/compose-arbiter.js";
export { createRuleArbiter } from "./policy/rule-arbiter.js";
export type { ChannelsFilter } from "./reads/list-channels.js";
export type { AgentEntry } from "./registry/agent-table.js";
export type { Sweep } from "./sweepers.js";
export type { ChannelSearch, FoundPage } from "./wal/channel-search.js";
export { type ChainHeader, chainHash, digestContent, headerOf } from "./wal/hash-chain.js";
export { type SealedEnvelope, sealEnvelope } from "./wal/seal-envelope.js";
export {
  type ChainFault,
  type ChainFinding,
  type ChainStart,
  type VerifyOptions,
  verifyChain,
} from "./wal/verify-chain.js";
