import type {
  Acceptance,
  ChannelAdapter,
  ChannelMetadata,
  ChannelState,
  DeadLetter,
  Envelope,
  EnvelopeDraft,
  InboxView,
  LedgerLine,
  LinkAcceptor,
  Passport,
  PendingTurn,
  RemoteProxy,
  Resume,
  Rule,
  TaskMetadata,
  TaskState,
  TrackRecord,
  ViewSpec,
  Waiting,
  WalSlice,
} from "@colloquy/protocol";
import type { ApiKeys } from "./auth/keys/api-keys.js";
import type { OperatorGate } from "./auth/operator-gate.js";
import type { DeadLetterFilter, DeadLetterPage } from "./delivery/dead-letter-page.js";
import type { ExpectationEvaluator } from "./expectations/evaluator.js";
import type { ViolationHandler } from "./expectations/handler.js";
import type { NextExpectation } from "./expectations/next-expectation.js";
import type { HealthReport } from "./health/report.js";
import type { EmptyInbox } from "./inbox/inbox-verbs.js";
import type { AuditLog } from "./observe/audit-log.js";
import type { HubHealth } from "./observe/health.js";
import type { HubListener, TurnFailure } from "./observe/hub-listener.js";
import type { Arbiter } from "./policy/arbiter.js";
import type { AgentFilter } from "./registry/list-agents.js";
import type { RegisterIdentity } from "./registry/register-input.js";
import type { Sweep } from "./sweepers.js";
import type { ChannelSearch, FoundPage } from "./wal/channel-search.js";
import type { Reading } from "./wal/read-pages.js";

export type { AgentFilter } from "./registry/list-agents.js";
export type { RegisterIdentity } from "./registry/register-input.js";

/** Input of {@link Hub.createChannel}; fields as the wire operation has them. */
export interface CreateChannel {
  readonly creator_id: string;
  readonly manifest_type: string;
  readonly participants: readonly string[];
  readonly manifest_version?: number | undefined;
  readonly required_acks?: number | null | undefined;
  /** Seconds or a duration; null or absent: the creator's rule; 0 or less: never expires. */
  readonly ttl?: string | number | null | undefined;
  readonly knobs?: Readonly<Record<string, unknown>> | null | undefined;
  readonly intent?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string>> | null | undefined;
  /** The channel in whose turn this one is opened; a participant of it must open. */
  readonly parent_channel_id?: string | null | undefined;
}

/** Who asks for a change of a channel's members, and why. */
export interface ParticipantChange {
  /** The member that asks; absent or null: the program that holds the hub, which may do anything. */
  readonly by?: string | null | undefined;
  /** Default: `explicit`. */
  readonly reason?: string | undefined;
}

/** What a post gives back. */
export interface Posted {
  readonly envelope_id: string;
  readonly position: number;
  readonly created_at: string;
  /** True when the idempotency key had been seen: this is the first result again. */
  readonly duplicate: boolean;
  /** Sentences for the sender, such as a handoff target that nobody answers to. */
  readonly notes: readonly string[];
}

/** All that a client needs to run a turn, read at one instant. */
export interface TurnContext {
  readonly metadata: ChannelMetadata;
  readonly state: unknown;
  /** Position of the triggering envelope. */
  readonly position: number;
  /** The agent's own envelope that already answers the trigger; null for none. */
  readonly answered: string | null;
  readonly can_send: boolean;
  readonly slice: WalSlice;
  readonly names: Readonly<Record<string, string>>;
}

/** Folded state of a channel at a position. */
export interface StateAt {
  readonly state: unknown;
  readonly position: number;
}

/** Part of a WAL as envelopes, oldest first. */
export interface EnvelopePage {
  readonly envelopes: readonly Envelope[];
  readonly positions: readonly number[];
  readonly next: number | null;
  readonly head: number;
}

/**
 * A hub in this process.
 *
 * The caller is trusted: whoever holds this object may act as any agent. What comes over a
 * connection goes through `accept`, where identity and membership are checked first.
 * Results are copies or immutable; methods reject with the errors of `@colloquy/protocol`.
 */
export interface Hub extends LinkAcceptor {
  registerIdentity(input: RegisterIdentity): Promise<Passport>;
  /**
   * Takes an agent out of the registry, and then out of every open channel whose type lets
   * participants go, with reason `unregistered`.
   */
  unregister(agentId: string): Promise<void>;
  /** By id first, then by name. The claim is left out. */
  getAgent(nameOrId: string): Promise<Passport>;
  getResume(agentId: string): Promise<Resume>;
  getRule(agentId: string): Promise<Rule>;
  getSkill(agentId: string): Promise<string | null>;
  findAgentId(name: string): string | null;
  nameFor(agentId: string, fallback?: string): string;
  /**
   * Handle of an agent for model providers, which take only letters, digits, `_` and `-`, at most
   * 64: no other agent has it, and it is the same after a restart. Null for an unknown agent.
   */
  handleFor(agentId: string): string | null;
  nameToIdMap(): Readonly<Record<string, string>>;
  listAgents(filter?: AgentFilter): Promise<readonly Passport[]>;
  agentsWithCapability(capability: string): readonly string[];
  setResume(agentId: string, resume: Resume): Promise<void>;
  setRule(agentId: string, rule: Rule): Promise<void>;
  setSkill(agentId: string, skill: string | null): Promise<void>;
  recordObservation(input: {
    readonly owner_id: string;
    readonly capability: string;
    readonly outcome: TaskState;
    readonly latency_ms?: number | null | undefined;
    readonly task_id?: string | null | undefined;
  }): Promise<void>;
  /** What was seen of an agent, by capability, beside what it claims. */
  getTrackRecord(agentId: string): Promise<Readonly<Record<string, TrackRecord>>>;

  /** Resolves when the channel is active, rejects when it failed to open. */
  createChannel(input: CreateChannel): Promise<ChannelMetadata>;
  /**
   * Closes a channel: at once by default; with `drain` it first winds up, and this resolves when that
   * has begun. Nothing new is said while it winds up; what was said before may still be answered once
   * by whoever has not settled it. It closes when nothing is outstanding, or after `closingTimeoutMs`.
   * Channels that were opened in its course close with it, with reason `parent_closed`.
   */
  closeChannel(
    channelId: string,
    reason?: string,
    options?: { readonly drain?: boolean | undefined },
  ): Promise<ChannelMetadata>;
  /**
   * Invites an agent into an active channel; resolves once the invitation is durable. The agent takes
   * part from its acceptance on; an invitation that is not answered within `inviteAckTimeoutMs` lapses.
   *
   * @param options - `by`: the member that invites; absent: the caller, who may do anything
   */
  inviteParticipant(
    channelId: string,
    agentId: string,
    options?: { readonly by?: string | null | undefined },
  ): Promise<ChannelMetadata>;
  /** A participant leaves by itself. A channel with too few left closes with `too_few_participants`. */
  leaveChannel(channelId: string, agentId: string, reason?: string): Promise<ChannelMetadata>;
  /** Takes a participant out, or its invitation back. `by` is a member that the arbiter lets do it. */
  removeParticipant(
    channelId: string,
    agentId: string,
    options?: ParticipantChange,
  ): Promise<ChannelMetadata>;
  /** A hidden participant is addressed no longer, has no turn and may not speak; it still reads. */
  hideParticipant(
    channelId: string,
    agentId: string,
    options?: ParticipantChange,
  ): Promise<ChannelMetadata>;
  showParticipant(
    channelId: string,
    agentId: string,
    options?: ParticipantChange,
  ): Promise<ChannelMetadata>;
  getChannel(channelId: string): Promise<ChannelMetadata>;
  listChannels(filter?: {
    readonly agent_id?: string | null | undefined;
    readonly states?: readonly ChannelState[] | undefined;
    readonly limit?: number | null | undefined;
  }): Promise<readonly ChannelMetadata[]>;

  /** Resolves once the envelope is durable. */
  post(draft: EnvelopeDraft): Promise<Posted>;
  /** {@link Hub.post}, giving only the id. */
  postEnvelope(draft: EnvelopeDraft): Promise<string>;
  /**
   * What {@link Hub.post} would do with a draft at this instant: take it, or refuse it with this very
   * error. Uses nothing of a rate and leaves no trace. Rejects with `StoreError` when the answer
   * depends on what cannot be read.
   */
  wouldAccept(draft: EnvelopeDraft): Promise<Acceptance>;
  /** Positions above `since` up to `until`; all of it by default. `TooLargeError` as `reading` says. */
  readWal(
    channelId: string,
    since?: number,
    until?: number | null,
    reading?: Reading,
  ): Promise<readonly Envelope[]>;
  /** At most `limit` envelopes and a few MiB of them; `next` leads to the rest. */
  readPage(
    channelId: string,
    range?: { readonly after?: number; readonly last?: number; readonly limit?: number },
  ): Promise<EnvelopePage>;
  /**
   * Envelopes of a channel that say some words, in any case. A page may be short, or empty, and still
   * lead on. Rejects with `NotFoundError` for an unknown channel, with `InvalidInputError` for words
   * that are empty or have more than 1,000 characters.
   */
  searchText(channelId: string, words: string, search?: ChannelSearch): Promise<FoundPage>;
  canSend(channelId: string, senderId: string, eventType?: string | null): Promise<boolean>;
  findEnvelopeByCausation(
    channelId: string,
    senderId: string,
    causationId: string,
  ): Promise<Envelope | null>;

  pendingTurnsFor(agentId: string): Promise<readonly PendingTurn[]>;
  prepareTurn(input: {
    readonly channel_id: string;
    readonly agent_id: string;
    readonly envelope_id: string;
    /** Envelopes of history that the view needs; null for all. */
    readonly last: number | null;
    /** Bytes that they may have, else `TooLargeError`; default: any number. */
    readonly maxBytes?: number | undefined;
  }): Promise<TurnContext>;
  reportTurnFailure(failure: TurnFailure): Promise<void>;

  adapterFor(channelId: string): Promise<ChannelAdapter>;
  defaultView(channelId: string, participantId: string): Promise<ViewSpec>;
  adapterState(channelId: string): Promise<StateAt>;
  inboxCursor(agentId: string, channelId: string): string;
  /**
   * How an envelope stands with each of its recipients. Exact for those who have it outstanding; for
   * the others as long as it is among the newest `ledgerEnvelopes` of the hub, over restarts, of
   * which a crash may lose the newest seconds.
   */
  ledger(channelId: string, envelopeId: string): readonly LedgerLine[];
  /** Times that a recipient of one of the newest envelopes could not be reached. */
  dispatchFailures(envelopeId: string): number;

  /** Envelopes that were given up for a recipient, in that order, in pages. */
  listDeadLetters(filter?: DeadLetterFilter): Promise<DeadLetterPage>;
  /**
   * Makes a dead letter outstanding again: its attempts start anew, and it goes out before what of
   * its channel is still queued for the recipient. Harmless when repeated. Rejects with
   * `NotFoundError`, or with `ProtocolError` when its time to live is over.
   */
  retryDeadLetter(letter: {
    readonly recipient_id: string;
    readonly envelope_id: string;
  }): Promise<DeadLetter>;
  /** Forgets a dead letter for good. Rejects with `NotFoundError`. */
  dropDeadLetter(letter: {
    readonly recipient_id: string;
    readonly envelope_id: string;
  }): Promise<void>;

  /**
   * From now on participants of kind `remote_agent` with the proxy's scheme get their envelopes
   * through it, first what is outstanding. It replaces one of the same scheme, which is closed.
   */
  registerRemoteProxy(proxy: RemoteProxy): void;
  /** Closes the proxy of a scheme; what comes for its participants waits. False when there is none. */
  unregisterRemoteProxy(scheme: string): boolean;
  /** The proxy of a scheme; null when there is none. */
  remoteProxyFor(scheme: string): RemoteProxy | null;

  /** What waits for an agent; lists at most `limit` channels, default 50. */
  inbox(agentId: string, limit?: number): Promise<InboxView>;
  /** Gives up what waits for an agent, each envelope as a dead letter; resolves when that is durable. */
  emptyInbox(agentId: string, what?: EmptyInbox): Promise<{ readonly dropped: number }>;

  observeTask(task: TaskMetadata): Promise<void>;
  updateTask(
    taskId: string,
    change: {
      readonly state?: TaskState | null | undefined;
      readonly progress?: Readonly<Record<string, unknown>> | null | undefined;
      readonly result?: unknown;
      readonly error?: string | null | undefined;
    },
  ): Promise<void>;
  getTask(taskId: string): Promise<TaskMetadata>;
  listTasks(filter?: {
    readonly agent_id?: string | null | undefined;
    readonly channel_id?: string | null | undefined;
    readonly state?: TaskState | null | undefined;
    readonly limit?: number | null | undefined;
    /** Id of the last task of the page before. */
    readonly after?: string | null | undefined;
  }): Promise<readonly TaskMetadata[]>;
  fireTaskEvent(
    taskId: string,
    kind: string,
    payload?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** `asker`: who writes, or the agents of one connection; without it the caller is trusted. */
  checkpointTask(
    taskId: string,
    state: Readonly<Record<string, unknown>>,
    asker?: string | readonly string[],
  ): Promise<void>;
  readTaskCheckpoint(
    taskId: string,
    asker?: string | readonly string[],
  ): Promise<Readonly<Record<string, unknown>> | null>;

  /** Runs every deadline that is due; returns how many ran. The hub does this by itself too. */
  expireDue(): Promise<number>;
  /**
   * Fires every expectation that is violated now; resolves, once that is durable, with the number of
   * violations. The hub does this by itself too, at the instant at which each falls due.
   */
  expectationTick(): Promise<number>;
  /** What is violated next in a channel unless something happens before; null for nothing. */
  nextExpectation(channelId: string): Promise<NextExpectation | null>;
  /** For channel types that are registered, and channels that are opened or read, from now on. */
  registerExpectationEvaluator(evaluator: ExpectationEvaluator): void;
  /** As {@link Hub.registerExpectationEvaluator}; a built-in handler's name replaces it. */
  registerViolationHandler(handler: ViolationHandler): void;
  /** Throws `ProtocolError` for a manifest that contradicts itself or expects what is not registered. */
  registerAdapter(adapter: ChannelAdapter): void;
  addListener(listener: HubListener): void;
  removeListener(listener: HubListener): void;
  setArbiter(arbiter: Arbiter): void;
  readonly arbiter: Arbiter;
  /** The audit log in force: in the store, unless another one was given. */
  readonly audit: AuditLog;
  /** Replaces the audit log; what was written stays where it is. Subscribers of the former one hear no more. */
  setAudit(audit: AuditLog): void;
  /**
   * Runs `sweep` every `intervalMs`, for the first time after one interval, until it is unregistered
   * or the hub closes; a failure is logged. Throws `TypeError` for a name that is already registered
   * and for an interval that is no number above 0.
   */
  registerSweeper(name: string, intervalMs: number, sweep: Sweep): void;
  /** Resolves when a run under way has ended; false when there was no such sweeper. */
  unregisterSweeper(name: string): Promise<boolean>;
  /**
   * Why nothing moves in a channel: who is awaited, since when, and what happens next, as a sentence
   * and as facts. `docs/why-waiting.md` has the causes in the order in which they count. An unknown
   * channel is an answer too. Of a channel in memory nothing is read from the store.
   *
   * @param options - `reasons`: whether the sentence tells what agents have said of their failures,
   *   and what the store or a fault have; default true, and false towards members over a connection
   */
  whyWaiting(
    channelId: string,
    options?: { readonly reasons?: boolean | undefined },
  ): Promise<Waiting>;
  health(): HubHealth;
  /**
   * Proves that the hub does its work: commits a record into the store within `healthProbeTimeoutMs`,
   * and looks at the disk, at what waits for connected agents, at turns that run too long and at
   * quarantined channels. A report is given again for `healthCacheMs`. Never rejects for a fault that
   * it finds.
   */
  checkHealth(): Promise<HealthReport>;
  /** The API keys that the hub keeps: issue, rotate, revoke, list. */
  readonly keys: ApiKeys;
  /** Decides who is an operator, for surfaces beside the hub's connections. */
  readonly operators: OperatorGate;
  /** Schemes of authentication that the hub accepts, as `AuthRegistry.schemes` has them. */
  readonly authSchemes: readonly string[];

  /** Refuses new work, waits for what is under way, closes connections with 1012 and then closes. */
  drain(): Promise<void>;
  /** Ends it now: what is committed stays, snapshots are written, the store is closed. May be repeated. */
  close(): Promise<void>;
  /** Resolves when the hub has closed. */
  readonly closed: Promise<void>;
}
