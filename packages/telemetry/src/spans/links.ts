import { formatTraceparent, parseTraceparent } from "@colloquy/protocol";
import {
  isSpanContextValid,
  type Link,
  type SpanContext,
  type TraceFlags,
} from "@opentelemetry/api";
import { ATTR, type LinkKind } from "./attributes.js";

/** A link to a span, with what kind of relation it is. */
export function linkTo(context: SpanContext, kind: LinkKind): Link {
  return { context, attributes: { [ATTR.linkKind]: kind } };
}

/** The span that a `traceparent` names; null when it is none. */
export function spanContextOf(traceparent: string | null | undefined): SpanContext | null {
  const parsed = parseTraceparent(traceparent);
  if (parsed === null) return null;
  const { traceId, spanId, flags } = parsed;
  return { traceId, spanId, traceFlags: flags as TraceFlags, isRemote: true };
}

/** The `traceparent` of a span; null for one of a tracer that does nothing. */
export function traceparentOf(context: SpanContext): string | null {
  if (!isSpanContextValid(context)) return null;
  const { traceId, spanId, traceFlags } = context;
  return formatTraceparent({ traceId, spanId, flags: traceFlags });
}
