/** Traces and metrics of a hub over OpenTelemetry's API; which SDK is behind it is the program's choice. */
export {
  createHubTelemetry,
  createSpanMaker,
  type HubTelemetry,
  type HubTelemetryOptions,
} from "./hub/hub-telemetry.js";
export { createTelemetryListener } from "./hub/telemetry-listener.js";
export { createMemorySpanLog } from "./log/memory-span-log.js";
export { DEFAULT_SPAN_LOG_BYTES, type SpanLog } from "./log/span-log.js";
export type { SpanEventRecord, SpanLinkRecord, SpanRecord } from "./log/span-record.js";
export { requireOtlpUrl } from "./settings/otlp-url.js";
export type { SpanMaker } from "./spans/open-span.js";
export type { SpanClock } from "./spans/span-time.js";
