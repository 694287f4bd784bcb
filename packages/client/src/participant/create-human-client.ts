import {
  type Envelope,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_REJECT,
  EV_TEXT,
  logFieldsOf,
} from "@colloquy/protocol";
import { isClientError, messageOf } from "../errors.js";
import type {
  EnvelopeCallback,
  HumanClient,
  OutgoingMessage,
  TextOptions,
} from "../human/human-client.js";
import { createOutbox } from "../human/outbox.js";
import { createEnvelopeQueue, type EnvelopePredicate } from "../inbox/envelope-queue.js";
import { createRecentIds } from "../inbox/recent-ids.js";
import { acceptInvite } from "../turn/accept-invite.js";
import { extend } from "./extend.js";
import type {
  DeliveredEnvelope,
  Hosted,
  HostedParticipant,
  SettleDelivery,
} from "./hosted-participant.js";
import { createParticipantCore, type ParticipantOptions } from "./participant-core.js";

/** Envelopes whose repeats are recognised. */
const REMEMBERED_IDS = 4_096;

/** What a person's client is made of, beside what every participant is. */
export interface HumanOptions extends ParticipantOptions {
  readonly onEnvelope: EnvelopeCallback | undefined;
  readonly autoAcceptInvites: boolean;
  readonly receipts: "on_arrival" | "by_hand";
  readonly queueCapacity: number;
}

/** Makes a person's client. */
export function createHumanClient(options: HumanOptions): Hosted<HumanClient> {
  const { hub, clock, ids, logger } = options;
  const queue = createEnvelopeQueue(clock, options.queueCapacity);
  const core = createParticipantCore({
    ...options,
    onStopped(agentId) {
      queue.end(core.life.reason);
      outstanding.clear();
      options.onStopped(agentId);
    },
  });
  const outboxListeners = new Set<(messages: readonly OutgoingMessage[]) => void>();
  const outbox = createOutbox(() => {
    for (const listener of [...outboxListeners]) {
      try {
        listener(outbox.messages);
      } catch (error) {
        const fields = { agent_id: core.client.agentId, error: messageOf(error) };
        logger.error(fields, "a listener of unsent messages threw");
      }
    }
  });
  const arrived = createRecentIds(REMEMBERED_IDS);
  const outstanding = new Map<string, SettleDelivery>();
  const callbacks = new Set(options.onEnvelope === undefined ? [] : [options.onEnvelope]);
  const accepting = new Map<string, Promise<void>>();
  const accepted = createRecentIds(REMEMBERED_IDS);
  let isPaused = false;

  const call = async (callback: EnvelopeCallback, envelope: Envelope): Promise<void> => {
    try {
      await callback(envelope);
    } catch (error) {
      const fields = { ...logFieldsOf(envelope), agent_id: core.client.agentId };
      logger.error({ ...fields, error: messageOf(error) }, "a callback threw");
    }
  };
  const show = ({ envelope, position }: DeliveredEnvelope): void => {
    core.hearEnvelope(envelope, position);
    queue.push(envelope);
    for (const callback of [...callbacks]) void call(callback, envelope);
  };
  /** Accepts an invitation once; what has failed is tried again when the invitation comes again. */
  const accept = async (invite: Envelope): Promise<void> => {
    const { envelope_id } = invite;
    if (accepted.has(envelope_id)) return;
    const known = accepting.get(envelope_id);
    if (known !== undefined) return known;
    const trying = acceptInvite(client, invite)
      .then(() => accepted.add(envelope_id))
      .finally(() => accepting.delete(envelope_id));
    accepting.set(envelope_id, trying);
    return trying;
  };
  const isForAccepting = ({ event_type }: Envelope): boolean =>
    event_type === EV_CHANNEL_INVITE && options.autoAcceptInvites;
  const settleOnArrival = (envelope: Envelope, settle: SettleDelivery): void => {
    if (!isForAccepting(envelope)) {
      settle("ack");
      return;
    }
    accept(envelope).then(
      () => (core.isActive ? settle("ack") : undefined),
      (error: unknown) => (core.isActive ? settle("nack", messageOf(error)) : undefined),
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
      if (!core.isActive || isPaused) return;
      const isRepeat = arrived.has(envelope.envelope_id);
      arrived.add(envelope.envelope_id);
      const byHand = options.receipts === "by_hand";
      if (byHand && (!isRepeat || outstanding.has(envelope.envelope_id))) {
        outstanding.set(envelope.envelope_id, settle);
        if (isForAccepting(envelope)) settleOnArrival(envelope, () => undefined);
      } else {
        settleOnArrival(envelope, settle);
      }
      if (!isRepeat) show(delivered);
    },
    receiveDelta: (delta) => core.hearDelta(delta),
    stop: (reason, error) => core.stop(reason, error),
    pause() {
      isPaused = true;
    },
    async idle() {
      await Promise.allSettled(accepting.values());
    },
  };

  const client: HumanClient = extend(core.client, {
    get missed() {
      return queue.dropped;
    },
    get outgoing() {
      return outbox.messages;
    },
    onOutgoing(listener: (messages: readonly OutgoingMessage[]) => void) {
      outboxListeners.add(listener);
      return () => void outboxListeners.delete(listener);
    },
    discardOutgoing: (idempotencyKey: string) => outbox.discard(idempotencyKey),
    onEnvelope(callback: EnvelopeCallback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    async nextEnvelope(predicate: EnvelopePredicate = () => true, timeoutMs?: number) {
      core.requireActive();
      return queue.take(predicate, { timeoutMs: timeoutMs ?? null });
    },
    async *envelopes() {
      while (core.isActive) {
        try {
          yield await queue.take(() => true);
        } catch (error) {
          if (isClientError(error) && error.code === "client/disconnected") return;
          throw error;
        }
      }
    },
    async say(channelId: string, text: string, textOptions: TextOptions = {}) {
      core.requireActive();
      const { audience, causationId, idempotencyKey, parts = [] } = textOptions;
      const draft = {
        channel_id: channelId,
        event_type: EV_TEXT,
        event_data: { text, ...(parts.length === 0 ? {} : { parts }) },
        audience: audience === undefined ? null : [...audience],
        causation_id: causationId ?? null,
        idempotency_key: idempotencyKey ?? ids.next(),
      };
      return outbox.track(draft, core.client.send(draft));
    },
    async closeChannel(channelId: string, reason = "human_closed") {
      core.requireActive();
      return hub.closeChannel(channelId, reason);
    },
    acceptInvite: (invite: Envelope) => acceptInvite(core.client, invite),
    async rejectInvite(invite: Envelope, reason = "") {
      await core.client.post({
        channel_id: invite.channel_id,
        event_type: EV_CHANNEL_INVITE_REJECT,
        event_data: { channel_id: invite.channel_id, reason },
        causation_id: invite.envelope_id,
        idempotency_key: `reject:${invite.envelope_id}`,
      });
    },
    acknowledge(envelopeId: string) {
      const settle = outstanding.get(envelopeId);
      outstanding.delete(envelopeId);
      settle?.("ack");
      return settle !== undefined;
    },
    [Symbol.asyncDispose]: () => core.client.unregister(),
  });
  return { client, hosted };
}
