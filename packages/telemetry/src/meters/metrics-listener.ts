import type { HubListener } from "@colloquy/hub";
import {
  type ChannelMetadata,
  isErrorCode,
  isTerminalTaskState,
  taskStateSchema,
} from "@colloquy/protocol";
import type { Instruments } from "./instruments.js";

/** What may follow from a violation; other words are counted together, lest a name become a label. */
const KNOWN_ACTIONS: ReadonlySet<string> = new Set([
  ...["audit", "warn", "notify", "hide", "remove", "auto_close"],
]);

/** Checks that refuse, by the names in which refusals tell of them; others are counted together. */
const KNOWN_GATES: ReadonlySet<string> = new Set([
  ...["none", "binding", "membership", "operator", "ownership"],
  ...["authorizeRegister", "authorizeChannelOpen", "authorizeSend", "authorizeRate"],
  ...["authorizeInbox", "authorizeDispatch", "authorizeMembership", "authorizeTask"],
  ...["resolveUnknownAudience", "validateCreate", "validateSend", "prepareSend", "fold"],
  ...["onAccepted", "initialState", "expectedNext", "reassign"],
]);

/**
 * Makes the listener that counts what happens in a hub.
 *
 * Labels come from closed sets: channel types that the hub has an adapter for, error codes, checks,
 * outcomes. No id, name or text becomes one.
 */
export function createMetricsListener(instruments: Instruments): HubListener {
  return {
    onEnvelopePosted: (_envelope, { manifest }) =>
      instruments.admissions.add(1, { channel_type: manifest.type }),
    onRefused({ what, code, gate = "none" }) {
      const known = KNOWN_GATES.has(gate) ? gate : "other";
      instruments.refusals.add(1, { what, code: isErrorCode(code) ? code : "error", gate: known });
    },
    onDispatchFailed: () => instruments.dispatchFailures.add(1),
    onDeadLetter: () => instruments.deadLetters.add(1),
    onInboxPressure: () => instruments.inboxPressure.add(1),
    onTurnFailed: () => instruments.turnFailures.add(1),
    onChannelEvent(_channelId, kind, { metadata }) {
      if (kind === "closed" || kind === "expired") {
        instruments.channelsEnded.add(1, { outcome: kind });
      } else if (kind === "opened") {
        const channel = metadata as ChannelMetadata | undefined;
        const channel_type = channel?.manifest.type ?? "unknown";
        instruments.channelsOpened.add(1, { channel_type });
      }
    },
    onTaskEvent(_taskId, kind) {
      const state = taskStateSchema.safeParse(kind);
      if (state.success && isTerminalTaskState(state.data)) {
        instruments.tasksEnded.add(1, { outcome: state.data });
      }
    },
    onExpectationFired(_channelId, { on_violation }) {
      const action = KNOWN_ACTIONS.has(on_violation) ? on_violation : "other";
      instruments.violations.add(1, { action });
    },
  };
}
