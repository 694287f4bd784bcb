/** Clients of a hub for agents and for people, in Node and in browsers. */
export type { Agent, Reply, Turn, TurnContext, TurnTrace } from "./agent/agent.js";
export type {
  AgentClient,
  ConsultOptions,
  ConsultStage,
  DeliveryFacts,
  EnvelopeHandler,
} from "./agent/agent-client.js";
export type { ParticipantClient, Stopped, StopReason } from "./agent/participant-client.js";
export {
  createScriptedAgent,
  type Script,
  type ScriptedAgent,
  type ScriptLine,
} from "./agent/scripted-agent.js";
export type { Channel, SendOptions } from "./channel/channel.js";
export type { OpenOptions } from "./channel/open-options.js";
export {
  attemptsAfter,
  type ReconnectOptions,
  type ReconnectPolicy,
  reconnectDelayMs,
  reconnectPolicy,
} from "./connection/reconnect-policy.js";
export type { CallOptions } from "./connection/request-table.js";
export type { ConnectionState, ConnectionStatus } from "./connection/status.js";
export { createHubClient } from "./create-hub-client.js";
export {
  CLIENT_ERROR_CODES,
  ClientError,
  type ClientErrorCode,
  type ClientErrorOptions,
  isClientError,
} from "./errors.js";
export type { AuthClaim, CredentialSupplier } from "./host/credentials.js";
export type { AgentSettings, HumanSettings, ParticipantSettings } from "./host/settings.js";
export type { HubClient, HubClientOptions } from "./hub-client.js";
export type {
  EnvelopeCallback,
  HumanClient,
  OutgoingMessage,
  TextOptions,
} from "./human/human-client.js";
export type { InboxBounds } from "./inbox/channel-inboxes.js";
export type { ChannelObserver } from "./inbox/channel-observers.js";
export type { EnvelopePredicate, EnvelopeQueue, WaitOptions } from "./inbox/envelope-queue.js";
export { createLocalLink } from "./link/local-link.js";
export type { WebSocketConstructor, WebSocketLike } from "./link/web-socket-like.js";
export { createWebSocketLink, type WebSocketLinkOptions } from "./link/web-socket-link.js";
export { createNetworkTools } from "./network-tools/create-network-tools.js";
export type { ActiveTask, NetworkHub, NetworkPort } from "./network-tools/network-port.js";
export { registerDirect } from "./register-direct.js";
export type { RunTask } from "./task/agent-tasks.js";
export {
  type CheckpointHub,
  type CheckpointObserver,
  type CheckpointState,
  type CheckpointStore,
  createHubCheckpoints,
} from "./task/checkpoint-store.js";
export { createTask, type TaskOptions } from "./task/create-task.js";
export type { Task, TaskSettings, TaskSubject } from "./task/task.js";
export {
  createTaskEvents,
  type TaskEvent,
  type TaskEventKind,
  type TaskEventSource,
  type TaskEvents,
  type TaskListener,
} from "./task/task-events.js";
export {
  createTaskMirror,
  type TaskHub,
  type TaskMirror,
  type TaskMirrorOptions,
} from "./task/task-mirror.js";
export type { AgentTool, ToolCallContext } from "./tools/agent-tool.js";
export { variablesIn } from "./tools/context-variables.js";
export { type DefinedTool, defineTool, type ToolDefinition } from "./tools/define-tool.js";
export type { ToolLimits } from "./tools/tool-limits.js";
export {
  type AskedCall,
  createToolRunner,
  type ToolOutcome,
  type ToolRunner,
} from "./tools/tool-runner.js";
export { acceptInvite } from "./turn/accept-invite.js";
export { createDefaultHandler } from "./turn/default-handler.js";
export { answerKey, encodeRound, type FinishedTurn } from "./turn/encode-round.js";
export {
  type PreparedTurn,
  type PrepareHost,
  prepareTurn,
  type SkippedTurn,
  type SkipReason,
} from "./turn/prepare-turn.js";
export { readWalUntil } from "./turn/read-wal-until.js";
export { resolveViewPolicy } from "./turn/resolve-view-policy.js";
export { runTurn, type TurnOutcome } from "./turn/run-turn.js";
export { type ChannelFacts, stampContext, type TurnFrame } from "./turn/stamp-context.js";
export type { TurnHost } from "./turn/turn-host.js";
export { createTurnSlots, type TurnSlots } from "./turn/turn-slots.js";
export { createTurnTrace } from "./turn/turn-trace.js";
export type { HubPort } from "./verbs/hub-port.js";
export type {
  AgentFilter,
  ChannelFilter,
  CreateChannel,
  EnvelopePage,
  HubVerbs,
  PageRange,
  StateAt,
  TaskFilter,
  TurnFacts,
} from "./verbs/hub-verbs.js";
export type { Posted } from "./verbs/posted.js";
