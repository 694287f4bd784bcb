import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { SpanLog } from "../log/span-log.js";
import type { SpanEventRecord } from "../log/span-record.js";
import { ATTR, type SpanType } from "./attributes.js";
import { type SpanClock, toHrTime, toIsoTime } from "./span-time.js";

/** What spans are made with. */
export interface SpanMaker {
  readonly tracer: Tracer;
  readonly now: SpanClock;
  /** Where ended spans are mirrored to; null for nowhere. */
  readonly log: SpanLog | null;
}

/** What a span begins with. */
export interface SpanStart {
  readonly name: string;
  readonly type: SpanType;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
  /** Absent: the span is the root of a trace of its own. */
  readonly parent?: SpanContext | undefined;
  /** Epoch milliseconds; default now. */
  readonly at?: number;
}

/** How a span ends. */
export interface SpanEnd {
  readonly status?: "OK" | "ERROR";
  readonly message?: string | undefined;
  /** Epoch milliseconds; default now. */
  readonly at?: number;
}

/** A span that is under way. */
export interface OpenSpan {
  readonly context: SpanContext;
  setAttributes(attributes: Attributes): void;
  addEvent(name: string, attributes?: Attributes): void;
  /** Ends it; harmless when repeated. */
  end(end?: SpanEnd): void;
}

/** Events of one span that are kept, as OpenTelemetry's own default has it. */
const MAX_EVENTS = 128;

/** Starts a span. Whatever it is told goes to the tracer and, once it has ended, to the span log. */
export function startSpan(maker: SpanMaker, start: SpanStart): OpenSpan {
  const startedAt = start.at ?? maker.now();
  const links = [...(start.links ?? [])];
  const attributes: Attributes = { [ATTR.spanType]: start.type, ...start.attributes };
  const { parent } = start;
  const parentContext =
    parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  const options = { kind: start.kind, attributes, links, startTime: toHrTime(startedAt) };
  const span = maker.tracer.startSpan(start.name, options, parentContext);
  const events: SpanEventRecord[] = [];
  const isKept = maker.log !== null && span.isRecording();
  let ended = false;
  return {
    context: span.spanContext(),
    setAttributes(more) {
      Object.assign(attributes, more);
      span.setAttributes(more);
    },
    addEvent(name, facts = {}) {
      const at = maker.now();
      span.addEvent(name, facts, toHrTime(at));
      if (isKept && events.length < MAX_EVENTS) {
        events.push({ name, at: toIsoTime(at), attributes: facts });
      }
    },
    end(end = {}) {
      if (ended) return;
      ended = true;
      const at = end.at ?? maker.now();
      endSpan(span, end, at);
      if (!isKept) return;
      const { traceId, spanId } = span.spanContext();
      maker.log?.append({
        trace_id: traceId,
        span_id: spanId,
        ...(parent === undefined ? {} : { parent_span_id: parent.spanId }),
        name: start.name,
        kind: SpanKind[start.kind] ?? "INTERNAL",
        start: toIsoTime(startedAt),
        end: toIsoTime(at),
        status: end.status ?? "UNSET",
        ...(end.message === undefined ? {} : { status_message: end.message }),
        attributes,
        events,
        links: links.map(({ context, attributes: facts = {} }) => ({
          ...{ trace_id: context.traceId, span_id: context.spanId, attributes: facts },
        })),
      });
    },
  };
}

function endSpan(span: Span, { status, message }: SpanEnd, at: number): void {
  if (status === "OK") span.setStatus({ code: SpanStatusCode.OK });
  if (status === "ERROR") {
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
  }
  span.end(toHrTime(at));
}
