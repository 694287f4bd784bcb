import {
  createIdSource,
  createSecretSource,
  createSystemClock,
  silentLogger,
} from "@colloquy/protocol";
import { createAccess } from "./auth/create-access.js";
import { auditOfKey } from "./auth/keys/key-ring.js";
import { createNoAuth } from "./auth/no-auth.js";
import { createLifecycle } from "./channels/lifecycle.js";
import { createCommitter } from "./commit/group-committer.js";
import { type Connections, createConnections } from "./connections/connections.js";
import type { CoreContext } from "./context/core-context.js";
import { completeLimits, type HubOptions } from "./context/options.js";
import { createDeadlines } from "./core/deadline-heap.js";
import { guardStore } from "./core/guard-store.js";
import { createHub } from "./create-hub.js";
import { createDelivery } from "./delivery/create-delivery.js";
import { createFiredMarks } from "./expectations/fired-marks.js";
import { createExpectationRegistry } from "./expectations/registry.js";
import { createHealthCheck } from "./health/check-health.js";
import type { Hub } from "./hub.js";
import { createAdapterRegistry } from "./live/adapter-table.js";
import { createChannelTable } from "./live/live-channels.js";
import { createOpenWaiters } from "./live/open-waiters.js";
import { assembleHealth } from "./observe/assemble-health.js";
import { createAuditListener } from "./observe/audit-listener.js";
import { type AuditLog, auditedWork } from "./observe/audit-log.js";
import { createAuditRetention } from "./observe/audit-retention.js";
import { createAuditLog } from "./observe/create-audit-log.js";
import { createEnvelopeTraces } from "./observe/envelope-traces.js";
import { guardMeters } from "./observe/guard-meters.js";
import { createListeners } from "./observe/listeners.js";
import { createRefusals } from "./observe/refusals.js";
import { createAllowances } from "./policy/allowances.js";
import { guardArbiter } from "./policy/decide.js";
import { createRuleArbiter } from "./policy/rule-arbiter.js";
import { createChannelReader } from "./recovery/channel-reader.js";
import { hydrateChannels } from "./recovery/hydrate.js";
import { listAllRecords } from "./recovery/list-all-records.js";
import { createReadingAgain } from "./recovery/read-again.js";
import { createAgentTable } from "./registry/mutable-agent-table.js";
import { createRegistry } from "./registry/registry-verbs.js";
import { stageRecords } from "./registry/stage-records.js";
import { createShutdown } from "./shutdown.js";
import { createSweepers } from "./sweepers.js";
import { createTaskBoard, type TaskVerbs } from "./tasks/task-board.js";
import { createExpectationEngine } from "./violations/engine.js";
import { builtInReactions } from "./violations/reactions/built-in-reactions.js";

/**
 * Opens a hub on a store: brings back its agents, tasks and every channel that has not ended, and
 * goes on where the last one stopped.
 *
 * A channel whose data or fold is broken is quarantined and shows in `health`; it keeps no other
 * from starting. Rejects with `StoreError` when the store itself cannot be read.
 */
export async function openHub(options: HubOptions): Promise<Hub> {
  return (await assembleHub(options)).hub;
}

/** A hub with its inside, for tests of the inside. */
export interface AssembledHub {
  readonly hub: Hub;
  readonly context: CoreContext;
}

/** {@link openHub}, giving the parts as well. */
export async function assembleHub(options: HubOptions): Promise<AssembledHub> {
  const { logger = silentLogger, tracing } = options;
  const meters = options.meters && guardMeters(options.meters, logger);
  const store = guardStore(options.store);
  const clock = options.clock ?? createSystemClock({ unref: true });
  const ids = options.ids ?? createIdSource({ clock });
  const limits = completeLimits(options.limits);
  const expectationRegistry = createExpectationRegistry({
    builtIn: builtInReactions.keys(),
    evaluators: options.expectationEvaluators,
    handlers: options.violationHandlers,
  });
  const adapters = createAdapterRegistry(options.adapters, expectationRegistry.checkManifest);
  const recovery = await store.recover();

  const agents = createAgentTable();
  const deadlines = createDeadlines(clock);
  const listeners = createListeners(logger);
  const whole = (): CoreContext => context;
  const reader = createChannelReader(whole);
  const channels = createChannelTable({
    read: reader.read,
    warmUp: reader.warmUp,
    readMetadata: (channelId) => store.readChannel(channelId),
    endedInMemory: limits.endedChannelsInMemory,
    onForgotten: (channelId) => context.delivery.forget(channelId),
    onQuarantined(channelId, reason) {
      logger.error({ channel_id: channelId, reason }, "a channel is quarantined");
      listeners.emit("onChannelEvent", channelId, "quarantined", { reason });
    },
  });
  const readingAgain = createReadingAgain(whole);
  const committer = createCommitter({
    store,
    clock,
    logger,
    startRow: recovery.last_row,
    around: (run) => context.delivery.withCork(run),
    measure: meters && ((envelopes) => meters.startCommit(envelopes)),
    onFailed: (touched, isUnsure) => readingAgain.drop(touched, isUnsure),
    onResynced: (touched) => readingAgain.read(touched),
  });
  const audit = options.audit ?? createAuditLog({ clock, committer, store });
  const append: AuditLog["append"] = (record) => context.audit.append(record);
  listeners.add(createAuditListener({ append }));
  const refusals = createRefusals({ clock, ids, deadlines, limits, listeners, append });
  const access = createAccess({
    ...{ clock, ids, logger, limits },
    secrets: options.secrets ?? createSecretSource(),
    authenticators: options.authenticators ?? [createNoAuth()],
    trustsLoopback: options.operatorOnLoopback ?? false,
    write: (records, change) =>
      stageRecords(committer, records, {
        audited: auditedWork(context.audit, auditOfKey(change)),
        onCommitted: () => undefined,
        onUndone: () => undefined,
      }),
  });
  const traces = tracing && createEnvelopeTraces(tracing, logger);
  if (traces !== undefined) listeners.add(traces.listener);
  for (const listener of options.listeners ?? []) listeners.add(listener);

  const marks = createFiredMarks(logger);
  const expectations = createExpectationEngine({
    context: whole,
    hub: () => hub,
    registry: expectationRegistry,
    marks,
  });
  const ground = {
    clock,
    ids,
    logger,
    store,
    limits,
    committer,
    deadlines,
    agents,
    adapters,
    channels,
    listeners,
    audit,
    refusals,
    ...access,
    traces,
    meters,
    allowances: createAllowances(clock, logger),
    arbiter: guardArbiter(options.arbiter ?? createRuleArbiter(), logger),
    accepting: true,
    waiters: createOpenWaiters(),
    lifecycle: createLifecycle(whole),
    expectations,
  };
  const tasks: TaskVerbs = createTaskBoard(ground);
  const context: CoreContext & { readonly agents: typeof agents } = Object.assign(ground, {
    tasks,
    delivery: createDelivery(ground),
  });
  const registry = createRegistry(context);

  if (options.audit === undefined) {
    const retention = createAuditRetention(context);
    audit.subscribe(retention.added);
    await retention.prune();
  }
  access.keys.restore(recovery.records);
  registry.restore(recovery.records);
  for (const { passport } of agents.all()) traces?.resumeAgent(passport);
  tasks.restore(recovery.records);
  context.allowances.restore(recovery.records);
  context.delivery.restore(recovery.deliveries);
  context.delivery.restoreLedger(await listAllRecords(store, "ledger"));
  marks.restore(recovery.records);
  await hydrateChannels(context, recovery, reader);
  await context.delivery.restoreDeadLetters(await listAllRecords(store, "dead_letter"));

  const sweepers = createSweepers(context);
  let connections: Connections;
  const shutdown = createShutdown({
    context,
    closeConnections: (code, reason) => connections.closeAll(code, reason),
    flushAudit: () => refusals.flush(),
    stopSweepers: () => sweepers.stop(),
  });
  const hub = createHub({
    context,
    registry,
    tasks,
    expectations,
    expectationRegistry,
    shutdown,
    sweepers,
    accept: (peer) => connections.accept(peer),
    lostAgent: (endpointId) => connections.lostAgent(endpointId),
    checkHealth: createHealthCheck({ context, isClosed: () => shutdown.isClosed }),
    health: () =>
      assembleHealth(
        {
          accepting: context.accepting,
          agents,
          adapters,
          channels: { openCount: channels.activeCount, quarantined: channels.quarantined },
          delivery: context.delivery,
          listeners,
          audit: context.audit,
          committer,
          store,
          tracing,
          expectations,
        },
        { connections: connections.count, closed: shutdown.isClosed },
      ),
  });
  connections = createConnections(hub, context, { enrol: registry.enrol });
  return { hub, context };
}
