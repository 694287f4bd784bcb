/** What two rooms of Colloquy must agree on: records, frames, errors, ids, and the ports between rooms. */
export {
  type ChannelManifest,
  channelManifestSchema,
  type Expectation,
  expectationSchema,
  type ParticipantBounds,
  participantBoundsSchema,
} from "./channel/channel-manifest.js";
export {
  type ChannelMetadata,
  type ChannelState,
  channelMetadataSchema,
  channelStateSchema,
  findParticipant,
  findSpeaker,
  type Invited,
  invitedSchema,
  isTerminalState,
  type Participant,
  participantOrder,
  participantSchema,
  type Role,
  roleSchema,
  type WindUp,
  windUpSchema,
} from "./channel/channel-metadata.js";
export {
  type ExpectationEntry,
  expectationEntrySchema,
  expectationKnobSchema,
  expectationsOf,
} from "./channel/expectation-knob.js";
export {
  WAITING_CAUSES,
  type Waiting,
  type WaitingCause,
  waitingCauseSchema,
  waitingSchema,
} from "./channel/waiting.js";
export { bareCodec } from "./codec/bare-codec.js";
export { codecFor } from "./codec/codec.js";
export { colloquyCodec } from "./codec/colloquy-codec.js";
export { type FrameCodec, SUBPROTOCOL } from "./codec/frame-codec.js";
export { type DeadLetter, deadLetterSchema } from "./delivery/dead-letter.js";
export {
  type DeliveryState,
  deliveryStateSchema,
  type LedgerLine,
  ledgerLineSchema,
} from "./delivery/ledger-line.js";
export {
  createEnvelope,
  type Envelope,
  type EnvelopeDraft,
  envelopeSchema,
  MAX_AUDIENCE,
  MAX_ENVELOPE_KEY_LENGTH,
  type Priority,
  prioritySchema,
} from "./envelope/envelope.js";
export { envelopePartsSchema, partsOf, withParts } from "./envelope/envelope-content.js";
export {
  type ContextUpdates,
  closingPayloadSchema,
  contextUpdatesSchema,
  eventPayloadSchemas,
  invitePayloadSchema,
  joinedPayloadSchema,
  type PacketPayload,
  packetPayloadSchema,
  participantPayloadSchema,
  type ReassignmentPayload,
  type Routing,
  reassignmentPayloadSchema,
  routingSchema,
  type TextPayload,
  textPayloadSchema,
  type ViolationPayload,
  violationPayloadSchema,
} from "./envelope/event-payloads.js";
export {
  CHANNEL_EVENT_PREFIX,
  CHANNEL_EVENTS,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_CLOSING,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_CHANNEL_OPENED,
  EV_CONTEXT_SET,
  EV_EXPECTATION_VIOLATED,
  EV_PACKET,
  EV_PARTICIPANT_HIDDEN,
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LAPSED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  EV_PARTICIPANT_SHOWN,
  EV_TASK_CANCEL_REQUEST,
  EV_TASK_CANCELLED,
  EV_TEXT,
  EV_TURN_REASSIGNED,
  HUB_EVENTS,
  isProtocolEvent,
  PARTICIPANT_EVENTS,
  TASK_EVENT_PREFIX,
} from "./envelope/event-types.js";
export { type EnvelopeLogFields, logFieldsOf } from "./envelope/log-fields.js";
export { visibleTo } from "./envelope/visible-to.js";
export {
  type BareErrorCode,
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  toBareCode,
} from "./errors/error-codes.js";
export { errorFromWire, isNetworkError } from "./errors/error-from-wire.js";
export {
  AccessDeniedError,
  AuthError,
  type ErrorDetails,
  InboxFullError,
  type InvalidInput,
  InvalidInputError,
  NetworkError,
  type NetworkErrorOptions,
  NotFoundError,
  ProtocolError,
  RateLimitedError,
  StoreError,
  TooLargeError,
  UnavailableError,
  WorkflowGraphError,
} from "./errors/network-error.js";
export type {
  NotifyFrame,
  ReceiptFrame,
  ReceiptItem,
  ReceiptsFrame,
} from "./frames/delivery-frames.js";
export { MAX_RECEIPTS } from "./frames/delivery-frames.js";
export {
  type ClientFrame,
  clientFrameSchemas,
  type Frame,
  type FrameKind,
  type HubFrame,
  hubFrameSchemas,
} from "./frames/frames.js";
export type { HelloFrame, WelcomeFrame } from "./frames/handshake-frames.js";
export type { DeltaFrame, HintFrame } from "./frames/live-frames.js";
export type { ErrorFrame, RequestFrame, ResponseFrame } from "./frames/request-frames.js";
export { type HubUrn, parseHubUrn } from "./ids/hub-urn.js";
export { idTime, isId } from "./ids/id.js";
export { createIdSource, type IdSourceOptions } from "./ids/id-source.js";
export { createSecretSource, type SecretSource } from "./ids/secret-source.js";
export { describeKind } from "./json/describe-kind.js";
export { explainIssue, parseWith } from "./json/explain-issue.js";
export { withoutNumberFaults } from "./json/number-faults.js";
export { isNumberFault } from "./json/parse-exact-json.js";
export { DEFAULT_MAX_JSON_DEPTH, type ParseJsonOptions, parseJson } from "./json/parse-json.js";
export {
  channelAtStart,
  foldMembership,
  type MembershipChange,
  type MembershipEvent,
  membershipEventOf,
  visibleToMember,
} from "./membership/membership.js";
export {
  type AudioPart,
  audioPartSchema,
  type Content,
  type ContentPart,
  type ContentPartInput,
  contentPartSchema,
  type DocumentPart,
  documentPartSchema,
  type ImagePart,
  imagePartSchema,
  type MediaPart,
  type TextPart,
  textPartSchema,
} from "./message/content-part.js";
export { describePart, inlineBytes, mediaTypeOf } from "./message/media-part.js";
export {
  type Message,
  type MessageRole,
  messageRoleSchema,
  messageSchema,
  type ToolCall,
  toolCallSchema,
} from "./message/message.js";
export { partShowsSomething, showsSomething } from "./message/shows-something.js";
export type { Acceptance } from "./operations/acceptance.js";
export { DEFAULT_OVERLAP_S } from "./operations/access-operations.js";
export {
  DEFAULT_PAGE_SIZE,
  DEFAULT_SEARCH_SIZE,
  MAX_PAGE_SIZE,
} from "./operations/colloquy-operations.js";
export { MAX_DEAD_LETTER_PAGE } from "./operations/delivery-operations.js";
export type { InboxView } from "./operations/inbox-view.js";
export {
  allOperations,
  type BareOperationName,
  type ColloquyOperationName,
  isBareOperationName,
  isOperationName,
  type OperationInput,
  type OperationName,
  type OperationParams,
  type OperationResult,
} from "./operations/operations.js";
export type {
  Accepted,
  ChannelAdapter,
  ExpectedTurn,
  MembershipRules,
  PacketDraft,
  PreparedSend,
  SendContext,
  TextDraft,
  TurnPort,
} from "./ports/channel-adapter.js";
export type { Clock, Timer } from "./ports/clock.js";
export type { IdSource } from "./ports/id-source.js";
export {
  checkDocuments,
  checkKnowledgeSearch,
  DEFAULT_KNOWLEDGE_HITS,
  KNOWLEDGE_LIMITS,
  type KnowledgeDocument,
  type KnowledgeHit,
  type KnowledgeInput,
  type KnowledgeStore,
  knowledgeWords,
} from "./ports/knowledge-store.js";
export type { Link, LinkClosed, LinkConnection, LinkHandlers, WireProfile } from "./ports/link.js";
export type { Delivery, HubConnection, LinkAcceptor, LinkPeer } from "./ports/link-acceptor.js";
export { type LogFields, type Logger, silentLogger } from "./ports/logger.js";
export type { RemoteProxy } from "./ports/remote-proxy.js";
export {
  type AuditFilter,
  type AuditMatch,
  type AuditRecord,
  type BrokenChannel,
  type ChannelFilter,
  type ChannelHead,
  type ChannelWrite,
  type DeliveryRecord,
  EMPTY_BATCH,
  LAZY_RECORD_KINDS,
  RECORD_KINDS,
  type RecordKind,
  type RecordWrite,
  type RecoveredChannel,
  type Recovery,
  type Snapshot,
  type Store,
  type StoreBatch,
  type StoredAuditRecord,
  type StoredEnvelope,
  type StoredRecord,
  type StoreHealth,
  type TextPage,
  type TextSearch,
  type WalPage,
  type WalRange,
} from "./ports/store.js";
export {
  EMPTY_SLICE,
  type ViewContext,
  type ViewPolicy,
  type ViewSpec,
  type WalSlice,
} from "./ports/view-policy.js";
export {
  ACCESS_ROLES,
  type AccessRole,
  accessRoleSchema,
  isOperatorRole,
} from "./registry/access-role.js";
export {
  AGENT_NAME_RULE,
  checkAgentName,
  MAX_NAME_LENGTH,
  RESERVED_NAMES,
} from "./registry/agent-name.js";
export {
  type ApiKeyInfo,
  apiKeyInfoSchema,
  type IssuedApiKey,
  issuedApiKeySchema,
} from "./registry/api-key.js";
export { publicPassport } from "./registry/hide-claim.js";
export { foldName, mixesAlphabets, nameKeys } from "./registry/name-forms.js";
export {
  type AuthBlock,
  type CostProfile,
  createPassport,
  effectiveKind,
  type Passport,
  type PassportInput,
  type PassportKind,
  passportSchema,
} from "./registry/passport.js";
export { type Principal, principalSchema } from "./registry/principal.js";
export { chooseHandle, providerHandle } from "./registry/provider-handle.js";
export {
  createResume,
  type ObservedStat,
  type Resume,
  type ResumeExample,
  type ResumeInput,
  resumeSchema,
  type TrackRecord,
  trackRecordSchema,
} from "./registry/resume.js";
export { createRule, type Rule, type RuleInput, ruleSchema } from "./registry/rule.js";
export { type ParsedSkill, parseSkillFrontmatter, renderFallbackSkill } from "./registry/skill.js";
export { successRate, trackRecordOf } from "./registry/track-record.js";
export { unquoteName } from "./registry/unquote-name.js";
export { auditChainText } from "./storage/audit-chain.js";
export {
  auditSubjects,
  MAX_AUDIT_SUBJECTS,
  matchesAudit,
  wantedSubjects,
} from "./storage/audit-subjects.js";
export { checkAppend, type LogEnd } from "./storage/check-append.js";
export { MAX_STORE_PAGE, pageLimit, wholeNumber } from "./storage/page-limit.js";
export { foldedTextOf, lookThrough, storedText } from "./storage/search-look.js";
export {
  type CheckedSearch,
  checkTextSearch,
  MAX_LOOKED_AT,
  MAX_LOOKED_AT_BYTES,
  MAX_SEARCH_LENGTH,
} from "./storage/text-search.js";
export { type WalWindow, walWindow } from "./storage/wal-window.js";
export {
  isTerminalTaskState,
  type TaskMetadata,
  type TaskSpec,
  type TaskSpecInput,
  type TaskState,
  taskMetadataSchema,
  taskSpecSchema,
  taskStateSchema,
} from "./task/task.js";
export { EXCERPT_LENGTH, excerptAround } from "./text/excerpt-around.js";
export { foldText } from "./text/fold-text.js";
export { matchesAny, matchesGlob } from "./text/glob.js";
export { redactText } from "./text/redact-text.js";
export { SPOKEN_EVENT_TYPES, spokenText } from "./text/spoken-text.js";
export { parseDuration } from "./time/duration.js";
export { createSystemClock } from "./time/system-clock.js";
export { formatTimestamp, parseTimestamp } from "./time/timestamp.js";
export {
  type Finish,
  finish,
  type Handoff,
  handoff,
  isFinish,
  isHandoff,
} from "./tool/routing-result.js";
export { type JsonSchema, jsonSchemaSchema, type Tool, type ToolContext } from "./tool/tool.js";
export { formatTraceparent, parseTraceparent, type TraceContext } from "./trace/traceparent.js";
export { type PendingTurn, pendingTurnSchema } from "./turn/pending-turn.js";
export type { Round, RoundEvent, ToolCallEvent, ToolResultEvent } from "./turn/round.js";
