import type { EnvelopeEnd, HubTracing } from "@colloquy/hub";
import type { Envelope } from "@colloquy/protocol";
import { type Attributes, type Link, SpanKind, trace } from "@opentelemetry/api";
import { ATTR, listAttribute, textAttribute } from "../spans/attributes.js";
import { linkTo, spanContextOf, traceparentOf } from "../spans/links.js";
import { type OpenSpan, type SpanMaker, startSpan } from "../spans/open-span.js";
import { startAgentSpan } from "./agent-spans.js";
import { startChannelSpan } from "./channel-spans.js";
import type { EntitySpans } from "./entity-spans.js";

/**
 * Makes the tracing of a hub: one span `network.envelope <event_type>` for each substantive
 * envelope, from before it is written until it has been handed over.
 *
 * Each is the root of a trace of its own, linked to the open span of its channel (`in_channel`), and
 * to what it was posted in (`triggered_by`): the `traceparent` that the sender gave, and the span
 * that is current in this process. What an earlier process has left gets spans anew as the hub
 * starts, with `colloquy.resumed`.
 */
export function createHubTracing(maker: SpanMaker, entities: EntitySpans): HubTracing {
  return {
    get logBytes() {
      return maker.log?.bytes ?? 0;
    },
    resumeChannel(channel) {
      const { channel_id } = channel;
      entities.channels.set(channel_id, startChannelSpan(maker, channel_id, channel, true));
    },
    resumeAgent({ agent_id, name }) {
      if (agent_id === null) return;
      entities.agents.set(agent_id, startAgentSpan(maker, agent_id, name, true));
    },
    startEnvelope(envelope) {
      const span = startSpan(maker, {
        name: `network.envelope ${envelope.event_type}`,
        type: "envelope",
        kind: SpanKind.PRODUCER,
        attributes: {
          [ATTR.channelId]: envelope.channel_id,
          [ATTR.senderId]: envelope.sender_id,
          [ATTR.eventType]: envelope.event_type,
          ...optional(ATTR.causationId, envelope.causation_id),
          ...(envelope.audience === null
            ? {}
            : { [ATTR.audience]: listAttribute(envelope.audience) }),
        },
        links: linksOf(envelope, entities),
      });
      const traceparent = traceparentOf(span.context);
      if (traceparent === null) return null;
      return { traceparent, end: (end) => endEnvelope(span, envelope, end) };
    },
  };
}

function linksOf(envelope: Envelope, { channels }: EntitySpans): Link[] {
  const links: Link[] = [];
  const channel = channels.get(envelope.channel_id);
  if (channel !== undefined) links.push(linkTo(channel.context, "in_channel"));
  const sent = spanContextOf(envelope.trace_id);
  if (sent !== null) links.push(linkTo(sent, "triggered_by"));
  const current = trace.getActiveSpan()?.spanContext();
  const isNew = current !== undefined && current.spanId !== sent?.spanId;
  if (isNew && traceparentOf(current) !== null) links.push(linkTo(current, "triggered_by"));
  return links;
}

function endEnvelope(
  span: OpenSpan,
  { envelope_id }: Envelope,
  { dispatchFailures, error }: EnvelopeEnd,
): void {
  if (envelope_id !== "") span.setAttributes({ [ATTR.envelopeId]: envelope_id });
  if (dispatchFailures > 0) span.setAttributes({ [ATTR.dispatchFailures]: dispatchFailures });
  if (error !== undefined) {
    span.setAttributes({ [ATTR.errorType]: error.name });
    span.end({ status: "ERROR", message: textAttribute(error.message) });
  } else if (dispatchFailures > 0) {
    span.end({ status: "ERROR", message: `${dispatchFailures} dispatch failure(s)` });
  } else {
    span.end();
  }
}

function optional(key: string, value: string | null): Attributes {
  return value === null ? {} : { [key]: value };
}
