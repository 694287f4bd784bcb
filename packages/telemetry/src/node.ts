/** OpenTelemetry's SDK for Node, set up from settings; and the span log in a file. */
export { type FileSpanLogOptions, openFileSpanLog } from "./log/file-span-log.js";
export type { MetricsPage } from "./sdk/metrics-page.js";
export {
  type StartedTelemetry,
  type StartTelemetryOptions,
  startTelemetry,
} from "./sdk/start-telemetry.js";
export type { Environment } from "./sdk/telemetry-settings.js";
