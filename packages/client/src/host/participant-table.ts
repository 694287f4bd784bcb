import {
  type DeltaFrame,
  type Logger,
  logFieldsOf,
  type NotifyFrame,
  type ReceiptItem,
} from "@colloquy/protocol";
import type { HostedParticipant } from "../participant/hosted-participant.js";

/** Envelopes that are kept for participants whose registration is being answered. */
const MAX_EARLY = 1_000;

/** The participants of one hub client, and what comes for them. */
export interface ParticipantTable {
  readonly active: readonly HostedParticipant[];
  get(agentId: string): HostedParticipant | null;
  /** Adds a participant; one with the same id is stopped as replaced. */
  install(participant: HostedParticipant): void;
  remove(agentId: string): void;
  /** Keeps what comes for unknown participants while the work runs, and gives it to those installed by then. */
  whileInstalling<T>(work: () => Promise<T>): Promise<T>;
  notify(frame: NotifyFrame): void;
  delta(frame: DeltaFrame): void;
}

/**
 * Makes a {@link ParticipantTable}.
 *
 * @param sendReceipt - sends a receipt over whichever link is up
 */
export function createParticipantTable(
  sendReceipt: (item: ReceiptItem) => void,
  logger: Logger,
): ParticipantTable {
  const participants = new Map<string, HostedParticipant>();
  let early: NotifyFrame[] = [];
  let installing = 0;

  const give = (participant: HostedParticipant, frame: NotifyFrame): void => {
    const { envelope } = frame;
    participant.receive(
      { envelope, position: frame.position ?? null, attempt: frame.attempt ?? 1 },
      (status, reason = "") =>
        sendReceipt({
          envelope_id: envelope.envelope_id,
          status,
          recipient_id: participant.agentId,
          channel_id: envelope.channel_id,
          reason,
        }),
    );
  };
  /** A hub should name the recipient; without a name it is for everybody here whom it addresses. */
  const recipientsOf = ({ recipient_id, envelope }: NotifyFrame): readonly string[] =>
    recipient_id === "" ? (envelope.audience ?? [...participants.keys()]) : [recipient_id];

  const notify = (frame: NotifyFrame): void => {
    const found = recipientsOf(frame).flatMap((id) => participants.get(id) ?? []);
    for (const participant of found) give(participant, frame);
    if (found.length > 0) return;
    if (installing > 0 && early.length < MAX_EARLY) {
      early.push(frame);
      return;
    }
    const fields = { ...logFieldsOf(frame.envelope), recipient_id: frame.recipient_id };
    logger.debug(fields, "envelope for a participant that is not here");
  };

  return {
    get active() {
      return [...participants.values()].filter(({ isActive }) => isActive);
    },
    get: (agentId) => participants.get(agentId) ?? null,
    install(participant) {
      const previous = participants.get(participant.agentId);
      participants.set(participant.agentId, participant);
      previous?.stop("replaced");
    },
    remove(agentId) {
      if (participants.get(agentId)?.isActive === false) participants.delete(agentId);
    },
    async whileInstalling(work) {
      installing += 1;
      try {
        return await work();
      } finally {
        installing -= 1;
        const kept = early;
        early = [];
        for (const frame of kept) notify(frame);
      }
    },
    notify,
    delta(frame) {
      for (const participant of participants.values()) {
        const { agentId } = participant;
        const isMeant = frame.audience === undefined || frame.audience.includes(agentId);
        if (agentId !== frame.sender_id && isMeant) participant.receiveDelta(frame);
      }
    },
  };
}
