import {
  type ChannelMetadata,
  type DeadLetter,
  isTerminalTaskState,
  taskStateSchema,
} from "@colloquy/protocol";
import type { AuditLog } from "./audit-log.js";
import type { ChannelEventKind, HubListener } from "./hub-listener.js";

type Payload = Readonly<Record<string, unknown>>;

/**
 * Makes the listener that turns what happens in a hub into audit records: the lazy ones, whose
 * matter stands in the WAL or in a record as well. What the registry changes is written with the
 * change, what is refused by `Refusals`; docs/audit.md lists the kinds. Texts of envelopes, claims
 * and skills are never written.
 *
 * @param audit - where the records go
 */
export function createAuditListener(audit: Pick<AuditLog, "append">): HubListener {
  return {
    onChannelEvent(channelId, kind, payload) {
      const write = CHANNEL_RECORDS[kind];
      if (write !== null) audit.append({ channel_id: channelId, ...write(payload) });
    },
    onTaskEvent(taskId, kind, payload) {
      const state = taskStateSchema.safeParse(kind);
      if (!state.success || !isTerminalTaskState(state.data)) return;
      const { owner_id, channel_id, capability, reason } = payload;
      const facts = { owner_id, channel_id, outcome: kind, capability, reason };
      audit.append({ kind: "task_terminated", task_id: taskId, ...facts });
    },
    onExpectationFired(channelId, expectation, violators, detail) {
      const { name, on_violation, params } = expectation;
      const facts = { expectation: name, on_violation, params, violators, detail };
      audit.append({ kind: "expectation_violated", channel_id: channelId, ...facts });
    },
    onTurnFailed({ channel_id, agent_id, envelope_id, error }) {
      const facts = { exc_type: "RuntimeError", exc_message: error };
      audit.append({ kind: "turn_failed", channel_id, agent_id, envelope_id, ...facts });
    },
    onDeadLetter(envelopeId, channelId, recipientId, reason) {
      const facts = { channel_id: channelId, recipient_id: recipientId, reason };
      audit.append({ kind: "dead_letter", envelope_id: envelopeId, ...facts });
    },
    onDeadLetterRetried(letter) {
      audit.append({
        kind: "dead_letter_retried",
        ...letterFacts(letter),
        retries: letter.retries,
      });
    },
    onDeadLetterDropped(letter, reason) {
      audit.append({ kind: "dead_letter_dropped", ...letterFacts(letter), reason });
    },
  };
}

function letterFacts({ envelope_id, channel_id, recipient_id }: DeadLetter): Payload {
  return { envelope_id, channel_id, recipient_id };
}

interface Facts extends Payload {
  readonly kind: string;
}

const CHANNEL_RECORDS: { readonly [K in ChannelEventKind]: ((payload: Payload) => Facts) | null } =
  {
    created: ({ metadata }) => {
      const channel = metadata as ChannelMetadata | undefined;
      return {
        kind: "channel_created",
        manifest_type: channel?.manifest.type,
        manifest_version: channel?.manifest.version,
        creator_id: channel?.creator_id,
        participants: channel?.participants.map((participant) => participant.agent_id),
      };
    },
    opened: null,
    closing: ({ reason, until }) => ({ kind: "channel_closing", reason, until }),
    participant_invited: participantRecord("participant_invited"),
    participant_joined: participantRecord("participant_joined"),
    participant_left: participantRecord("participant_left"),
    participant_removed: participantRecord("participant_removed"),
    participant_hidden: participantRecord("participant_hidden"),
    participant_shown: participantRecord("participant_shown"),
    invite_lapsed: participantRecord("invite_lapsed"),
    closed: ({ reason }) => ({ kind: "channel_closed", reason }),
    expired: ({ reason }) => ({ kind: "channel_expired", reason }),
    quarantined: ({ reason }) => ({ kind: "channel_quarantined", reason }),
  };

function participantRecord(kind: string): (payload: Payload) => Facts {
  return ({ agent_id, by, reason }) => ({ kind, agent_id, by, reason });
}
