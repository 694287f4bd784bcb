import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Environment } from "./telemetry-settings.js";

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends spans as OTLP over HTTP; null takes the address from the environment. */
export function createSpanExporter(url: string | null): SpanExporter {
  return new OTLPTraceExporter(url === null ? {} : { url });
}

/** Sends figures as OTLP over HTTP, every `OTEL_METRIC_EXPORT_INTERVAL` ms (default 60,000). */
export function createMetricReader(
  url: string | null,
  env: Environment,
): PeriodicExportingMetricReader {
  const interval = millisecondsOf(env["OTEL_METRIC_EXPORT_INTERVAL"]) ?? DEFAULT_INTERVAL_MS;
  const timeout = millisecondsOf(env["OTEL_METRIC_EXPORT_TIMEOUT"]) ?? DEFAULT_TIMEOUT_MS;
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(url === null ? {} : { url }),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(timeout, interval),
  });
}

function millisecondsOf(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}
