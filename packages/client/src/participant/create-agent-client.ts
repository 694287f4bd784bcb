import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  isProtocolEvent,
  type KnowledgeStore,
  logFieldsOf,
  membershipEventOf,
} from "@colloquy/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentClient, ConsultOptions, EnvelopeHandler } from "../agent/agent-client.js";
import { ClientError, isClientError, messageOf } from "../errors.js";
import { createRecentIds } from "../inbox/recent-ids.js";
import { createNetworkPort } from "../network-tools/create-network-port.js";
import { createNetworkTools } from "../network-tools/create-network-tools.js";
import { createAgentTasks, type RunTask } from "../task/agent-tasks.js";
import type { CheckpointStore } from "../task/checkpoint-store.js";
import { createDefaultHandler } from "../turn/default-handler.js";
import { createTurnQueue } from "../turn/turn-queue.js";
import { createTurnSlots } from "../turn/turn-slots.js";
import { cancelTask } from "./cancel-task.js";
import { consult } from "./consult.js";
import { extend } from "./extend.js";
import { findPendingTriggers } from "./find-pending-triggers.js";
import type {
  DeliveredEnvelope,
  Hosted,
  HostedParticipant,
  SettleDelivery,
} from "./hosted-participant.js";
import { createParticipantCore, type ParticipantOptions } from "./participant-core.js";

/** Envelopes whose repeats are recognised. */
const REMEMBERED_IDS = 4_096;

/** What an agent is made of, beside what every participant is. */
export interface AgentOptions extends ParticipantOptions {
  readonly agent: Agent;
  /** In place of the default handler. */
  readonly onEnvelope: EnvelopeHandler | undefined;
  readonly turnTimeoutMs: number;
  readonly maxParallelTurns: number;
  /** Where its tasks keep checkpoints; default: the hub. */
  readonly checkpoints?: CheckpointStore | undefined;
  readonly networkTools: boolean;
  readonly knowledge?: KnowledgeStore | undefined;
  readonly deltaIntervalMs: number;
  sendDelta: Parameters<typeof createDefaultHandler>[0]["sendDelta"];
}

/** Makes an agent client. */
export function createAgentClient(options: AgentOptions): Hosted<AgentClient> {
  const core = createParticipantCore({
    ...options,
    onStopped(agentId) {
      queue.cancelAll(new ClientError("client/disconnected", "the agent has stopped"));
      options.onStopped(agentId);
    },
  });
  const queue = createTurnQueue();
  const tasks = createAgentTasks({ ...options, agentId: core.client.agentId });
  const outside = tasks.openScope({ channelId: null, signal: core.life });
  const arrived = createRecentIds(REMEMBERED_IDS);
  const acknowledged = createRecentIds(REMEMBERED_IDS);
  const underWay = new Map<string, Promise<void>>();
  /** Ids of deliveries that are settled once they have been handled. */
  const unsettled = new Set<string>();
  const suppressed = new Set<string>();
  let replaced: EnvelopeHandler | null = options.onEnvelope ?? null;
  let isPaused = false;

  const handle = (delivered: DeliveredEnvelope, takeUp?: () => void): Promise<void> => {
    const { envelope, position, attempt } = delivered;
    const known = underWay.get(envelope.envelope_id);
    if (known !== undefined) return known;
    const done = queue
      .run(envelope.channel_id, async (signal) => {
        if (signal.aborted && !hasEnded(signal)) throw signal.reason;
        if (signal.aborted && replaced === null) return dropTask(envelope, signal.reason);
        const handler = replaced ?? defaultHandler;
        const facts = { position, attempt, signal };
        await handler(envelope, client, takeUp === undefined ? facts : { ...facts, takeUp });
      })
      .finally(() => underWay.delete(envelope.envelope_id));
    underWay.set(envelope.envelope_id, done);
    return done;
  };
  /** What had not begun when its channel ended is dropped, and shown as a turn that failed. */
  const dropTask = async (envelope: Envelope, reason: unknown): Promise<void> => {
    const { channel_id, envelope_id, event_type, sender_id } = envelope;
    if (isProtocolEvent(event_type) || sender_id === core.client.agentId) return;
    const agent_id = core.client.agentId;
    const failure = { channel_id, envelope_id, agent_id };
    try {
      await options.hub.reportTurnFailure({ ...failure, error: `not begun: ${messageOf(reason)}` });
    } catch (error) {
      const fields = { ...logFieldsOf(envelope), agent_id, error: messageOf(error) };
      options.logger.warn(fields, "dropped work was not reported");
    }
  };
  const handleAgain = async (envelope: Envelope): Promise<void> => {
    try {
      await handle({ envelope, position: null, attempt: 1 });
    } catch (error) {
      const fields = { ...logFieldsOf(envelope), error: messageOf(error) };
      options.logger.warn(fields, "a pending turn failed");
    }
  };
  const settleWith = (delivered: DeliveredEnvelope, settle: SettleDelivery): void => {
    const { envelope_id } = delivered.envelope;
    const end = (status: "ack" | "nack", reason?: string): void => {
      unsettled.delete(envelope_id);
      if (!core.isActive) return;
      if (status === "ack") acknowledged.add(envelope_id);
      settle(status, reason);
    };
    let isTakenUp = false;
    const takeUp = (): void => {
      if (isTakenUp || !unsettled.has(envelope_id) || !core.isActive) return;
      isTakenUp = true;
      settle("taken_up");
    };
    unsettled.add(envelope_id);
    handle(delivered, takeUp).then(
      () => end("ack"),
      (error: unknown) => end("nack", messageOf(error)),
    );
  };

  const hosted: HostedParticipant = {
    agentId: core.client.agentId,
    name: core.client.name,
    auth: options.auth,
    get isActive() {
      return core.isActive;
    },
    receive(delivered, settle) {
      const { envelope } = delivered;
      const { envelope_id, channel_id } = envelope;
      if (!core.isActive || unsettled.has(envelope_id)) return;
      if (acknowledged.has(envelope_id)) return settle("ack");
      if (!arrived.has(envelope_id)) {
        arrived.add(envelope_id);
        core.hearEnvelope(envelope, delivered.position);
        // At once, not behind the turn that runs the task.
        tasks.hear(envelope);
      }
      if (endsChannel(envelope, core.client.agentId))
        queue.cancel(channel_id, channelEnded(envelope));
      if (suppressed.has(channel_id)) {
        acknowledged.add(envelope_id);
        settle("ack");
      } else if (!isPaused) {
        settleWith(delivered, settle);
      }
    },
    receiveDelta: (delta) => core.hearDelta(delta),
    stop: (reason, error) => core.stop(reason, error),
    pause() {
      isPaused = true;
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled([...underWay.values()]);
    },
  };

  const runTask: RunTask = async (subject, settings, work) => {
    core.requireActive();
    return outside.run(subject, settings, work);
  };

  const client: AgentClient = extend(core.client, {
    get defaultHandler() {
      return defaultHandler;
    },
    onEnvelope(handler: EnvelopeHandler | null) {
      replaced = handler;
    },
    async resumePendingTurns() {
      core.requireActive();
      const triggers = await findPendingTriggers(options.hub, core.client.agentId);
      await Promise.all(triggers.map(handleAgain));
      return triggers.length;
    },
    consult: (target: string, prompt: string, consultOptions?: ConsultOptions) =>
      consult({ core, hub: options.hub, suppressed }, target, prompt, consultOptions),
    task: runTask,
    taskEvents: tasks.events,
    async cancelTask(taskId: string, reason = "") {
      core.requireActive();
      const here = tasks.cancel(taskId, reason);
      return here ?? cancelTask(client, taskId, reason);
    },
    get tools() {
      return tools;
    },
    close: () => core.client.unregister(),
    [Symbol.asyncDispose]: () => client.close(),
  });
  const tools = options.networkTools
    ? createNetworkTools(
        createNetworkPort({
          client,
          clock: options.clock,
          knowledge: options.knowledge,
          channelId: null,
          activeTask: () => outside.active,
        }),
      )
    : [];
  const defaultHandler = createDefaultHandler({
    agent: options.agent,
    client,
    hub: options.hub,
    clock: options.clock,
    logger: options.logger,
    turnTimeoutMs: options.turnTimeoutMs,
    slots: createTurnSlots(options.maxParallelTurns),
    tasks,
    networkTools: options.networkTools,
    knowledge: options.knowledge,
    metadataOf: (channelId) => core.metadata.get(channelId),
    lastOwnPosition: (channelId) => core.lastOwnPosition(channelId),
    post: core.post,
    deltaIntervalMs: options.deltaIntervalMs,
    sendDelta: options.sendDelta,
  });
  return { client, hosted };
}

/** True when a task was cancelled because its channel has ended, and not because the agent stops. */
function hasEnded({ reason }: AbortSignal): boolean {
  return isClientError(reason) && reason.code === "client/channel_ended";
}

/** True for a channel's last envelope, and for what says that this agent takes part no longer. */
function endsChannel(envelope: Envelope, agentId: string): boolean {
  const { event_type } = envelope;
  if (event_type === EV_CHANNEL_CLOSED || event_type === EV_CHANNEL_EXPIRED) return true;
  const change = membershipEventOf(envelope);
  return (change?.kind === "left" || change?.kind === "removed") && change.agent_id === agentId;
}

function channelEnded({ channel_id, event_data }: Envelope): ClientError {
  const reason = String(event_data["reason"] ?? "");
  return new ClientError("client/channel_ended", `channel '${channel_id}' has ended: ${reason}`);
}
