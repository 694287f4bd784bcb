import type { Logger } from "@colloquy/protocol";
import {
  context,
  type MeterProvider,
  metrics,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { Resource } from "@opentelemetry/resources";
import { MeterProvider as SdkMeterProvider } from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { listenToDiagnostics } from "./diagnostics.js";
import { createMetricsPage, type MetricsPage } from "./metrics-page.js";
import { createMetricReader, createSpanExporter } from "./otlp.js";
import { describeService } from "./service.js";
import { BY_ENVIRONMENT, type Environment, planTelemetry } from "./telemetry-settings.js";

/** Options of {@link startTelemetry}. */
export interface StartTelemetryOptions {
  /** Default `colloquy`; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win over it. */
  readonly serviceName?: string | undefined;
  readonly serviceVersion?: string | undefined;
  /** Base URL of an OTLP receiver over HTTP, such as `http://127.0.0.1:4318`; default: what `OTEL_EXPORTER_OTLP_*` say. */
  readonly otlp?: string | undefined;
  /** Makes a page of figures for Prometheus. Default false. */
  readonly metricsPage?: boolean | undefined;
  /** Records spans although they are sent nowhere, for a span log. Default false. */
  readonly traces?: boolean | undefined;
  /**
   * Makes its providers those of the process, and follows the current span through promises, so that
   * `withTelemetry` and other instrumentation need not be told. Default true; what the process has
   * already stays.
   */
  readonly global?: boolean | undefined;
  /** Where exporters report that they cannot send. Default: nowhere. */
  readonly logger?: Logger | undefined;
  /** Default: `process.env`. What exporters read by themselves, they read there in any case. */
  readonly env?: Environment | undefined;
}

/** Telemetry of a process that is recording. */
export interface StartedTelemetry {
  /** Null when nothing wants spans. */
  readonly tracerProvider: TracerProvider | null;
  /** Null when nothing wants figures. */
  readonly meterProvider: MeterProvider | null;
  /** Null unless it was asked for. */
  readonly metricsPage: MetricsPage | null;
  /** Sends what waits. Never rejects: what could not be sent is lost, and told to the logger. */
  flush(): Promise<void>;
  /** Sends what waits, and ends. May be repeated. */
  stop(): Promise<void>;
}

/**
 * Sets up OpenTelemetry's SDK: spans and figures go to an OTLP receiver over HTTP, figures to a page
 * for Prometheus as well. With neither nothing is recorded.
 *
 * @throws InvalidInputError for an `otlp` that is no plain http or https URL
 */
export function startTelemetry(options: StartTelemetryOptions = {}): StartedTelemetry {
  const env = options.env ?? process.env;
  const plan = planTelemetry(options.otlp ?? null, env);
  const resource = describeService(options);
  const forget =
    options.logger === undefined ? () => undefined : listenToDiagnostics(options.logger);
  const wantsTraces = plan.traces !== null || options.traces === true;
  const tracerProvider = wantsTraces ? createTracerProvider(resource, plan.traces) : null;
  const page = options.metricsPage === true ? createMetricsPage() : null;
  const wantsMetrics = plan.metrics !== null || page !== null;
  const meterProvider = wantsMetrics
    ? new SdkMeterProvider({
        resource,
        readers: [
          ...(page === null ? [] : [page.reader]),
          ...(plan.metrics === null ? [] : [createMetricReader(urlOf(plan.metrics), env)]),
        ],
      })
    : null;
  const leave = options.global === false ? () => undefined : join(tracerProvider, meterProvider);
  const providers = [tracerProvider, meterProvider].filter((provider) => provider !== null);
  const settle = async (work: readonly Promise<void>[]): Promise<void> => {
    for (const outcome of await Promise.allSettled(work)) {
      if (outcome.status === "fulfilled") continue;
      options.logger?.warn({ err: outcome.reason }, "telemetry could not be sent");
    }
  };
  let stopping: Promise<void> | null = null;
  return {
    tracerProvider,
    meterProvider,
    metricsPage: page?.page ?? null,
    async flush() {
      await settle(providers.map((provider) => provider.forceFlush()));
    },
    stop() {
      stopping ??= (async () => {
        leave();
        await settle(providers.map((provider) => provider.shutdown()));
        forget();
      })();
      return stopping;
    },
  };
}

function createTracerProvider(resource: Resource, destination: string | null): BasicTracerProvider {
  const spanProcessors: SpanProcessor[] =
    destination === null ? [] : [new BatchSpanProcessor(createSpanExporter(urlOf(destination)))];
  return new BasicTracerProvider({ resource, spanProcessors });
}

function urlOf(destination: string): string | null {
  return destination === BY_ENVIRONMENT ? null : destination;
}

/** Makes providers those of the process, as far as it has none; returns how to take that back. */
function join(traces: TracerProvider | null, figures: MeterProvider | null): () => void {
  const undo: (() => void)[] = [];
  if (traces !== null && trace.setGlobalTracerProvider(traces)) undo.push(() => trace.disable());
  if (figures !== null && metrics.setGlobalMeterProvider(figures)) {
    undo.push(() => metrics.disable());
  }
  const manager = new AsyncLocalStorageContextManager();
  if (traces !== null && context.setGlobalContextManager(manager.enable())) {
    undo.push(() => context.disable());
  }
  return () => {
    for (const step of undo) step();
  };
}
