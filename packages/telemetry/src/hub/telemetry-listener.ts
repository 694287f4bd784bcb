import type { HubListener } from "@colloquy/hub";
import { ATTR, listAttribute, textAttribute } from "../spans/attributes.js";
import type { SpanMaker } from "../spans/open-span.js";
import { traceAgentEvent } from "./agent-spans.js";
import { traceChannelEvent } from "./channel-spans.js";
import { createEntitySpans, type EntitySpans } from "./entity-spans.js";
import { traceTaskEvent } from "./task-spans.js";

/**
 * Makes the listener that turns the life of channels, agents and tasks into spans.
 *
 * - `network.channel <type>`: from created until closed or expired, with what happened in between as
 *   events. Expired is status ERROR.
 * - `agent.lifetime <name>`: from registered until unregistered; below it one instant span for each
 *   new resume, skill or rule.
 * - `network.task <capability>`: made when the task has ended and dated back to its start. Status OK
 *   only for a completed one.
 *
 * What began before the listener was there has no span, unless the hub's tracing, which shares
 * `entities`, has begun one as the hub started. It may be used without the hub's tracing.
 */
export function createTelemetryListener(
  maker: SpanMaker,
  entities: EntitySpans = createEntitySpans(),
): HubListener {
  const { channels, agents } = entities;
  return {
    onChannelEvent: (channelId, kind, payload) =>
      traceChannelEvent(maker, entities, { channelId, kind, payload }),
    onAgentEvent: (agentId, kind, payload) =>
      traceAgentEvent(maker, entities, { agentId, kind, payload }),
    onTaskEvent: (taskId, kind, payload) => traceTaskEvent(maker, { taskId, kind, payload }),
    onEnvelopeRejected(envelope, error) {
      channels.get(envelope.channel_id)?.addEvent("envelope_rejected", {
        [ATTR.senderId]: envelope.sender_id,
        [ATTR.eventType]: envelope.event_type,
        ...errorFacts(error.name, error.message),
      });
    },
    onDispatchFailed(envelope, recipientId, reason) {
      channels.get(envelope.channel_id)?.addEvent("dispatch_failed", {
        [ATTR.recipientId]: recipientId,
        [ATTR.envelopeId]: envelope.envelope_id,
        ...errorFacts("Error", reason),
      });
    },
    onTurnFailed({ channel_id, agent_id, envelope_id, error }) {
      channels.get(channel_id)?.addEvent("turn_failed", {
        [ATTR.agentId]: agent_id,
        [ATTR.envelopeId]: envelope_id,
        ...errorFacts("RuntimeError", error),
      });
    },
    onExpectationFired(channelId, { name, on_violation }, violators) {
      channels.get(channelId)?.addEvent(`expectation.${name}`, {
        [ATTR.expectationName]: name,
        [ATTR.onViolation]: on_violation,
        [ATTR.violators]: listAttribute(violators),
      });
    },
    onInboxPressure(agentId, pending, cap) {
      const facts = { [ATTR.inboxPending]: pending, [ATTR.inboxCap]: cap };
      agents.get(agentId)?.addEvent("inbox_pressure", facts);
    },
  };
}

function errorFacts(type: string, message: string) {
  return { [ATTR.errorType]: type, [ATTR.errorMessage]: textAttribute(message) };
}
