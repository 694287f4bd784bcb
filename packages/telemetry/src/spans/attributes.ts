import { redactText } from "@colloquy/protocol";

/** Instrumentation scope of every span that a hub makes; AG2 uses the same. */
export const SCOPE = "opentelemetry.instrumentation.ag2";
/** Schema that the scope refers to. */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.11.0";

/** Instrumentation scope of every metric. */
export const METER_SCOPE = "colloquy";

/** Names of the attributes of spans, span events and links. */
export const ATTR = {
  spanType: "ag2.span.type",
  linkKind: "ag2.link.kind",
  channelId: "ag2.network.channel_id",
  senderId: "ag2.network.sender_id",
  eventType: "ag2.network.event_type",
  envelopeId: "ag2.network.envelope_id",
  causationId: "ag2.network.causation_id",
  audience: "ag2.network.audience",
  dispatchFailures: "ag2.network.dispatch_failures",
  manifestType: "ag2.network.manifest_type",
  creatorId: "ag2.network.creator_id",
  taskId: "ag2.network.task_id",
  capability: "ag2.network.capability",
  outcome: "ag2.network.outcome",
  ownerId: "ag2.network.owner_id",
  recipientId: "ag2.network.recipient_id",
  agentId: "ag2.agent.id",
  resumeSource: "ag2.agent.resume_source",
  agentCapability: "ag2.agent.capability",
  agentOutcome: "ag2.agent.outcome",
  skillRemoved: "ag2.agent.skill_removed",
  errorType: "ag2.error.type",
  errorMessage: "ag2.error.message",
  reason: "ag2.reason",
  expectationName: "ag2.expectation.name",
  onViolation: "ag2.expectation.on_violation",
  violators: "ag2.expectation.violators",
  inboxPending: "ag2.inbox.pending",
  inboxCap: "ag2.inbox.cap",
  checkpointTaskId: "ag2.checkpoint.task_id",
  checkpointBytes: "ag2.checkpoint.bytes",
  checkpointHit: "ag2.checkpoint.hit",
  turnAttempt: "colloquy.turn.attempt",
  turnSilent: "colloquy.turn.silent",
  interrupted: "colloquy.interrupted",
  resumed: "colloquy.resumed",
  genAiOperation: "gen_ai.operation.name",
  genAiAgentName: "gen_ai.agent.name",
  genAiAgentId: "gen_ai.agent.id",
  genAiConversation: "gen_ai.conversation.id",
  genAiProvider: "gen_ai.provider.name",
  genAiRequestModel: "gen_ai.request.model",
  genAiResponseModel: "gen_ai.response.model",
  genAiResponseId: "gen_ai.response.id",
  genAiFinishReasons: "gen_ai.response.finish_reasons",
  genAiInputTokens: "gen_ai.usage.input_tokens",
  genAiOutputTokens: "gen_ai.usage.output_tokens",
  genAiToolName: "gen_ai.tool.name",
  genAiToolType: "gen_ai.tool.type",
  genAiToolCallId: "gen_ai.tool.call.id",
  errorClass: "error.type",
} as const;

/** Values of {@link ATTR.linkKind}. */
export type LinkKind = "in_channel" | "triggered_by";

/** Values of {@link ATTR.spanType}. */
export type SpanType = "envelope" | "channel" | "agent_lifetime" | "agent_event" | "task" | "turn";

/** Ids in one list attribute; a broadcast to thousands does not make a span of a megabyte. */
const MAX_LIST = 64;
/** Characters of a text that others have written. */
const MAX_TEXT = 500;

/** A list for an attribute: its first ids. */
export function listAttribute(ids: readonly string[]): string[] {
  return ids.slice(0, MAX_LIST);
}

/** A text for an attribute: without what looks like a secret, and cut to a bounded length. */
export function textAttribute(given: string): string {
  const text = redactText(given.slice(0, 2 * MAX_TEXT));
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
