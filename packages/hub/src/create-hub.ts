import type { LinkAcceptor } from "@colloquy/protocol";
import { leaveChannel, removeParticipant, setHidden } from "./channels/change-participants.js";
import { closeChannel } from "./channels/end-channel.js";
import { inviteParticipant } from "./channels/invite-participant.js";
import { leaveEverywhere } from "./channels/leave-everywhere.js";
import { openChannel } from "./channels/open-channel.js";
import type { CoreContext } from "./context/core-context.js";
import type { ExpectationRegistry } from "./expectations/registry.js";
import type { HealthReport } from "./health/report.js";
import type { Hub } from "./hub.js";
import { emptyInbox, showInbox } from "./inbox/inbox-verbs.js";
import type { HubHealth } from "./observe/health.js";
import { openFacts, registrationFacts } from "./observe/refused-facts.js";
import { guardArbiter } from "./policy/decide.js";
import { postEnvelope } from "./post/post-envelope.js";
import { wouldAccept } from "./post/would-accept.js";
import {
  adapterFor,
  adapterState,
  defaultView,
  findEnvelopeByCausation,
  getChannel,
} from "./reads/channel-reads.js";
import { listChannels } from "./reads/list-channels.js";
import { readWal, readWalPage } from "./reads/read-channel-wal.js";
import { searchChannel } from "./reads/search-channel.js";
import type { RegistryVerbs } from "./registry/registry-verbs.js";
import type { HubShutdown } from "./shutdown.js";
import type { Sweepers } from "./sweepers.js";
import type { TaskVerbs } from "./tasks/task-board.js";
import { canSend } from "./turns/can-send.js";
import { pendingTurnsFor } from "./turns/pending-turns.js";
import { prepareTurn } from "./turns/prepare-turn.js";
import { reportTurnFailure } from "./turns/turn-failure.js";
import type { ExpectationEngine } from "./violations/engine.js";
import { whyWaiting } from "./waiting/why-waiting.js";

/** What the facade hands its calls to. */
export interface HubParts {
  readonly context: CoreContext;
  readonly registry: RegistryVerbs;
  readonly tasks: TaskVerbs;
  readonly expectations: ExpectationEngine;
  readonly expectationRegistry: ExpectationRegistry;
  readonly shutdown: HubShutdown;
  readonly sweepers: Sweepers;
  readonly accept: LinkAcceptor["accept"];
  readonly health: () => HubHealth;
  readonly checkHealth: () => Promise<HealthReport>;
  /** A connection has lost an agent by no doing of its own. */
  readonly lostAgent: (endpointId: string) => void;
}

/** The facade of a hub. Every method delegates; nothing is decided here. */
export function createHub(parts: HubParts): Hub {
  const { context, registry, tasks, expectations, shutdown, sweepers } = parts;
  const { accept, health, lostAgent } = parts;
  const { agents, adapters, listeners, delivery, refusals } = context;
  let arbiter = context.arbiter;
  return {
    accept,
    authSchemes: context.auth.schemes,
    keys: context.keys,
    operators: context.operators,
    registerIdentity: (input) =>
      refusals.guard(
        () => registry.registerIdentity(input),
        () => registrationFacts(input),
      ),
    async unregister(agentId) {
      const { endpointId } = await registry.unregister(agentId);
      if (endpointId !== null) lostAgent(endpointId);
      await leaveEverywhere(context, agentId);
    },
    getAgent: registry.getAgent,
    getResume: registry.getResume,
    getRule: registry.getRule,
    getSkill: registry.getSkill,
    findAgentId: (name) => agents.idOf(name),
    nameFor: (agentId, fallback) => agents.nameFor(agentId, fallback),
    handleFor: (agentId) => agents.handleOf(agentId),
    nameToIdMap: () =>
      Object.fromEntries([...agents.all()].map(({ id, passport }) => [passport.name, id])),
    listAgents: registry.listAgents,
    agentsWithCapability: (capability) => agents.withCapability(capability),
    setResume: registry.setResume,
    setRule: registry.setRule,
    setSkill: registry.setSkill,
    recordObservation: registry.recordObservation,
    getTrackRecord: registry.getTrackRecord,

    createChannel: (input) =>
      refusals.guard(
        () => openChannel(context, input),
        () => openFacts(input),
      ),
    closeChannel: (channelId, reason, options) => closeChannel(context, channelId, reason, options),
    inviteParticipant: (channelId, agentId, options) =>
      inviteParticipant(context, channelId, agentId, options),
    leaveChannel: (channelId, agentId, reason) => leaveChannel(context, channelId, agentId, reason),
    removeParticipant: (channelId, agentId, options) =>
      removeParticipant(context, channelId, agentId, options),
    hideParticipant: (channelId, agentId, options) =>
      setHidden(context, channelId, agentId, { ...options, hidden: true }),
    showParticipant: (channelId, agentId, options) =>
      setHidden(context, channelId, agentId, { ...options, hidden: false }),
    getChannel: (channelId) => getChannel(context, channelId),
    listChannels: (filter) => listChannels(context, filter),

    post: (draft) => postEnvelope(context, draft),
    postEnvelope: async (draft) => (await postEnvelope(context, draft)).envelope_id,
    wouldAccept: (draft) => wouldAccept(context, draft),
    readWal: (channelId, since, until, reading) =>
      readWal(context, channelId, since, until, reading),
    readPage: (channelId, range) => readWalPage(context, channelId, range),
    searchText: (channelId, words, search) => searchChannel(context, channelId, words, search),
    canSend: (channelId, senderId, eventType) => canSend(context, channelId, senderId, eventType),
    findEnvelopeByCausation: (channelId, senderId, causationId) =>
      findEnvelopeByCausation(context, channelId, { senderId, causationId }),

    pendingTurnsFor: (agentId) => pendingTurnsFor(context, agentId),
    prepareTurn: (input) => prepareTurn(context, input),
    reportTurnFailure: (failure) => reportTurnFailure(context, failure),

    adapterFor: (channelId) => adapterFor(context, channelId),
    defaultView: (channelId, participantId) => defaultView(context, channelId, participantId),
    adapterState: (channelId) => adapterState(context, channelId),
    inboxCursor: (agentId, channelId) => delivery.cursor(agentId, channelId),
    ledger: (channelId, envelopeId) => delivery.ledger(channelId, envelopeId),
    dispatchFailures: (envelopeId) => delivery.dispatchFailures(envelopeId),
    listDeadLetters: async (filter = {}) => delivery.listDeadLetters(filter),
    retryDeadLetter: ({ recipient_id, envelope_id }) =>
      delivery.retryDeadLetter(recipient_id, envelope_id),
    dropDeadLetter: ({ recipient_id, envelope_id }) =>
      delivery.dropDeadLetter(recipient_id, envelope_id),
    registerRemoteProxy: (proxy) => delivery.registerRemoteProxy(proxy),
    unregisterRemoteProxy: (scheme) => delivery.unregisterRemoteProxy(scheme),
    remoteProxyFor: (scheme) => delivery.remoteProxyFor(scheme),

    inbox: (agentId, limit) => showInbox(context, agentId, limit),
    emptyInbox: (agentId, what) => emptyInbox(context, agentId, what),

    observeTask: tasks.observeTask,
    updateTask: tasks.updateTask,
    getTask: tasks.getTask,
    listTasks: tasks.listTasks,
    fireTaskEvent: tasks.fireTaskEvent,
    checkpointTask: tasks.checkpointTask,
    readTaskCheckpoint: tasks.readTaskCheckpoint,

    async expireDue() {
      const ran = context.deadlines.runDue();
      await context.lifecycle.settled();
      await context.committer.flush();
      return ran;
    },
    whyWaiting: (channelId, options) =>
      whyWaiting(
        { context, nextExpectation: expectations.next, isClosed: shutdown.isClosed },
        channelId,
        options,
      ),
    expectationTick: () => expectations.tick(),
    nextExpectation: (channelId) => expectations.next(channelId),
    registerExpectationEvaluator: parts.expectationRegistry.registerEvaluator,
    registerViolationHandler: parts.expectationRegistry.registerHandler,
    registerAdapter: (adapter) => adapters.register(adapter),
    addListener: (listener) => listeners.add(listener),
    removeListener: (listener) => listeners.remove(listener),
    setArbiter(next) {
      arbiter = next;
      context.arbiter = guardArbiter(next, context.logger);
    },
    get arbiter() {
      return arbiter;
    },
    get audit() {
      return context.audit;
    },
    setAudit(next) {
      context.audit = next;
    },
    registerSweeper: sweepers.register,
    unregisterSweeper: sweepers.unregister,
    health,
    checkHealth: parts.checkHealth,
    drain: shutdown.drain,
    close: shutdown.close,
    closed: shutdown.closed,
  };
}
