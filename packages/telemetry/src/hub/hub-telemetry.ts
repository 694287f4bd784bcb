import type { Hub, HubListener, HubMeters, HubTracing } from "@colloquy/hub";
import { type MeterProvider, metrics, type TracerProvider, trace } from "@opentelemetry/api";
import type { SpanLog } from "../log/span-log.js";
import { createHubMeters } from "../meters/hub-meters.js";
import { createInstruments } from "../meters/instruments.js";
import { createMetricsListener } from "../meters/metrics-listener.js";
import { watchHealth } from "../meters/watch-health.js";
import { ATTR, METER_SCOPE, SCHEMA_URL, SCOPE } from "../spans/attributes.js";
import type { SpanMaker } from "../spans/open-span.js";
import { type SpanClock, systemSpanClock } from "../spans/span-time.js";
import { createEntitySpans, type EntitySpans } from "./entity-spans.js";
import { createHubTracing } from "./hub-tracing.js";
import { createTelemetryListener } from "./telemetry-listener.js";

/** Options of {@link createHubTelemetry}. */
export interface HubTelemetryOptions {
  /** Where spans go; null for no traces. Default: the process's own, as `trace.getTracerProvider` has it. */
  readonly tracerProvider?: TracerProvider | null | undefined;
  /** Where figures go; null for no metrics. Default: the process's own. */
  readonly meterProvider?: MeterProvider | null | undefined;
  /** Where ended spans are mirrored to; default: nowhere. */
  readonly log?: SpanLog | undefined;
  /** Epoch milliseconds; default: the machine's time, finer than a millisecond. */
  readonly now?: SpanClock | undefined;
}

/** What a hub is opened with to be traced and measured: spread `hubOptions` into those of `openHub`. */
export interface HubTelemetry {
  readonly hubOptions: {
    readonly tracing?: HubTracing;
    readonly meters?: HubMeters;
    readonly listeners: readonly HubListener[];
  };
  /** Shows the health of the opened hub as gauges; returns how to stop. */
  watch(hub: Pick<Hub, "health">): () => void;
  /** Ends the spans of channels and agents that are still there, marked as interrupted. For a hub that has closed. */
  endSpans(): void;
}

/** Makes the telemetry of one hub over tracers and meters of OpenTelemetry. */
export function createHubTelemetry(options: HubTelemetryOptions = {}): HubTelemetry {
  const { log = null, now = systemSpanClock } = options;
  const { tracerProvider = trace.getTracerProvider() } = options;
  const { meterProvider = metrics.getMeterProvider() } = options;
  const entities = createEntitySpans();
  const listeners: HubListener[] = [];
  const hubOptions: { tracing?: HubTracing; meters?: HubMeters } = {};
  if (tracerProvider !== null) {
    const maker = createSpanMaker(tracerProvider, log, now);
    hubOptions.tracing = createHubTracing(maker, entities);
    listeners.push(createTelemetryListener(maker, entities));
  }
  const meter = meterProvider?.getMeter(METER_SCOPE);
  if (meter !== undefined) {
    const instruments = createInstruments(meter);
    hubOptions.meters = createHubMeters(instruments, now);
    listeners.push(createMetricsListener(instruments));
  }
  return {
    hubOptions: { ...hubOptions, listeners },
    watch: (hub) => (meter === undefined ? () => undefined : watchHealth(meter, hub)),
    endSpans: () => endSpans(entities),
  };
}

/** What spans of a hub are made with. */
export function createSpanMaker(
  provider: TracerProvider,
  log: SpanLog | null = null,
  now: SpanClock = systemSpanClock,
): SpanMaker {
  const tracer = provider.getTracer(SCOPE, undefined, { schemaUrl: SCHEMA_URL });
  return { tracer, now, log };
}

function endSpans({ channels, agents }: EntitySpans): void {
  for (const spans of [channels, agents]) {
    for (const span of spans.values()) {
      span.setAttributes({ [ATTR.interrupted]: true });
      span.end();
    }
    spans.clear();
  }
}
