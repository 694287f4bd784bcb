import type {
  Acceptance,
  ChannelAdapter,
  ChannelMetadata,
  Envelope,
  EnvelopeDraft,
  InboxView,
  OperationInput,
  OperationResult,
  Passport,
  PendingTurn,
  Resume,
  Rule,
  TaskMetadata,
  TrackRecord,
  ViewPolicy,
  ViewSpec,
  Waiting,
} from "@colloquy/protocol";
import type { CallOptions } from "../connection/request-table.js";
import type { Posted } from "./posted.js";

/** Part of a channel's log, oldest first. */
export type EnvelopePage = OperationResult<"read_page">;
/** Folded state of a channel, and the position up to which it is folded. */
export type StateAt = OperationResult<"get_state">;
/** All that a turn needs, read at one instant. */
export type TurnFacts = OperationResult<"prepare_turn">;

/** Which agents to list. */
export type AgentFilter = OperationInput<"list_agents">;
/** Which tasks to list. */
export type TaskFilter = OperationInput<"list_tasks">;
/** Input of {@link HubVerbs.createChannel}; fields as the operation has them. */
export type CreateChannel = OperationInput<"create_channel">;

/** Which channels to list. */
export interface ChannelFilter {
  readonly agent_id?: string | null | undefined;
  /** Channels that have ended too; default false. */
  readonly include_terminal?: boolean | undefined;
  /** Default 50; null is no limit. */
  readonly limit?: number | null | undefined;
}

/** Who changes the members of a channel, and why. */
export interface ParticipantChange {
  /** A member of this client. */
  readonly by: string;
  readonly reason?: string | undefined;
}

/** Which part of a log to read. */
export interface PageRange {
  /** Position before the first one to give; default 0. */
  readonly after?: number | undefined;
  /** Start so many before the end instead. */
  readonly last?: number | undefined;
  /** Most envelopes to give; default 200, at most 1,000. */
  readonly limit?: number | undefined;
}

/**
 * What can be asked of a hub over a link: named as the hub's own methods, with the same errors.
 *
 * Everything rejects with the errors of `@colloquy/protocol` for what the hub refuses, and with a
 * `ClientError` for what befalls the connection. Reads and posts with an idempotency key are sent
 * again after a break; anything else that was under way then fails with `client/connection_lost`.
 */
export interface HubVerbs {
  /** Passport by id or name, without its claim. */
  getAgent(nameOrId: string): Promise<Passport>;
  getResume(agentId: string): Promise<Resume>;
  getRule(agentId: string): Promise<Rule>;
  getSkill(agentId: string): Promise<string | null>;
  findAgentId(name: string): Promise<string | null>;
  /** Name to id; null for a name that nobody has. */
  resolveNames(names: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** Id to name; an unknown id stands for itself. */
  namesFor(agentIds: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /**
   * Id to the handle that a model provider takes as a name; unknown ids are left out. On the bare
   * profile it is made from the name, and two agents may then share one.
   */
  handlesFor(agentIds: readonly string[]): Promise<Readonly<Record<string, string>>>;
  listAgents(filter?: AgentFilter): Promise<readonly Passport[]>;
  setResume(agentId: string, resume: Resume): Promise<void>;
  setRule(agentId: string, rule: Rule): Promise<void>;
  setSkill(agentId: string, skill: string | null): Promise<void>;
  recordObservation(input: OperationInput<"record_observation">): Promise<void>;
  /**
   * What the hub has seen of an agent, by capability, beside what it claims. On the bare profile it is
   * read from the resume, without a p95.
   */
  getTrackRecord(agentId: string): Promise<Readonly<Record<string, TrackRecord>>>;

  /** Resolves when the channel is active, rejects when it failed to open. */
  createChannel(input: CreateChannel): Promise<ChannelMetadata>;
  /**
   * Closes a channel: at once, or with `drain` once what is under way has ended; then it resolves when
   * that has begun. `drain` needs `colloquy.v1`, as do the changes of participants.
   */
  closeChannel(
    channelId: string,
    reason?: string,
    options?: { readonly drain?: boolean | undefined },
  ): Promise<ChannelMetadata>;
  /** Resolves once the invitation is durable; `by` is a member of this client. */
  inviteParticipant(channelId: string, agentId: string, by: string): Promise<ChannelMetadata>;
  /** Leaves, or declines an invitation into an open channel. */
  leaveChannel(channelId: string, agentId: string, reason?: string): Promise<ChannelMetadata>;
  removeParticipant(
    channelId: string,
    agentId: string,
    change: ParticipantChange,
  ): Promise<ChannelMetadata>;
  hideParticipant(
    channelId: string,
    agentId: string,
    change: ParticipantChange,
  ): Promise<ChannelMetadata>;
  showParticipant(
    channelId: string,
    agentId: string,
    change: ParticipantChange,
  ): Promise<ChannelMetadata>;
  getChannel(channelId: string): Promise<ChannelMetadata>;
  listChannels(filter?: ChannelFilter): Promise<readonly ChannelMetadata[]>;

  /** Resolves once the envelope is durable. `sender_id` must be bound to this client. */
  post(draft: EnvelopeDraft, options?: CallOptions): Promise<Posted>;
  /** {@link HubVerbs.post}, giving only the id. */
  postEnvelope(draft: EnvelopeDraft): Promise<string>;
  /**
   * What a post would meet now: acceptance, or the very error. Uses nothing of a rate and leaves no
   * trace. `colloquy.v1` only.
   */
  wouldAccept(draft: EnvelopeDraft): Promise<Acceptance>;
  /** Positions above `since` up to `until`; all of it by default. Negative bounds count from the end. */
  readWal(channelId: string, since?: number, until?: number | null): Promise<readonly Envelope[]>;
  /** One page; on the bare profile it is cut out of the whole log. */
  readPage(channelId: string, range?: PageRange): Promise<EnvelopePage>;
  /**
   * What was said in a channel with some words in it, in any case, as far as a member of this client
   * may see it. A page may be short, or empty, and still lead on. On the bare profile the whole log is
   * read and looked through here.
   */
  searchText(
    channelId: string,
    search: Omit<OperationInput<"search_text">, "channel_id">,
  ): Promise<OperationResult<"search_text">>;
  canSend(channelId: string, senderId: string, eventType?: string | null): Promise<boolean>;
  findEnvelopeByCausation(
    channelId: string,
    senderId: string,
    causationId: string,
  ): Promise<Envelope | null>;

  pendingTurnsFor(agentId: string): Promise<readonly PendingTurn[]>;
  /** All that a turn needs. One question under `colloquy.v1`; on the bare profile several, and a fold here. */
  prepareTurn(input: OperationInput<"prepare_turn">): Promise<TurnFacts>;
  reportTurnFailure(input: OperationInput<"report_turn_failure">): Promise<void>;
  /** On the bare profile the log is read and folded here. */
  adapterState(channelId: string): Promise<StateAt>;

  /** What waits for an agent of this client; lists at most `limit` channels, default 50. `colloquy.v1` only. */
  inbox(agentId: string, limit?: number): Promise<InboxView>;
  /**
   * Gives up what waits for an agent of this client, in one channel or in all, each envelope as a
   * dead letter. `colloquy.v1` only.
   */
  emptyInbox(
    agentId: string,
    what?: Omit<OperationInput<"empty_inbox">, "agent_id">,
  ): Promise<OperationResult<"empty_inbox">>;

  observeTask(task: TaskMetadata): Promise<void>;
  updateTask(taskId: string, change: Omit<OperationInput<"update_task">, "task_id">): Promise<void>;
  getTask(taskId: string): Promise<TaskMetadata>;
  listTasks(filter?: TaskFilter): Promise<readonly TaskMetadata[]>;
  fireTaskEvent(
    taskId: string,
    kind: string,
    payload?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  checkpointTask(taskId: string, state: Readonly<Record<string, unknown>>): Promise<void>;
  readTaskCheckpoint(taskId: string): Promise<Readonly<Record<string, unknown>> | null>;

  /** How an envelope stands with its recipients: all of them for its sender. `colloquy.v1` only. */
  ledger(channelId: string, envelopeId: string): Promise<OperationResult<"ledger">>;
  /** Envelopes that were given up for a participant, or of it. `colloquy.v1` only. */
  listDeadLetters(
    input: OperationInput<"list_dead_letters">,
  ): Promise<OperationResult<"list_dead_letters">>;
  /** Makes a dead letter of a participant here outstanding again. `colloquy.v1` only. */
  retryDeadLetter(
    input: OperationInput<"retry_dead_letter">,
  ): Promise<OperationResult<"retry_dead_letter">>;
  /** Forgets a dead letter of a participant here for good. `colloquy.v1` only. */
  dropDeadLetter(input: OperationInput<"drop_dead_letter">): Promise<void>;

  /** Why nothing moves in a channel: who is awaited, since when, and what happens next. `colloquy.v1` only. */
  whyWaiting(channelId: string): Promise<Waiting>;
  /** Figures on the state of the hub. `colloquy.v1` only. */
  health(): Promise<Readonly<Record<string, unknown>>>;

  /** The adapter of a channel's type and version. Throws `NotFoundError` when this client has none. */
  adapterFor(metadata: ChannelMetadata): ChannelAdapter;
  /** Makes a channel type known to this client; replaces one of the same type and version. */
  registerAdapter(adapter: ChannelAdapter): void;
  /** The view that a spec names. Throws `NotFoundError` when this client knows none of that name. */
  viewFor(spec: ViewSpec): ViewPolicy;
  /** The view that a participant's model gets in a channel, by knob or by its type. */
  defaultView(channelId: string, participantId: string): Promise<ViewSpec>;
}
