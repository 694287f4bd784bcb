import { requireOtlpUrl } from "../settings/otlp-url.js";

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is to be recorded, and where it goes. */
export interface TelemetryPlan {
  /** Where spans are sent: a URL, `env` for what `OTEL_EXPORTER_OTLP_*` say, null for nowhere. */
  readonly traces: string | null;
  /** Where figures are sent; as `traces`. */
  readonly metrics: string | null;
}

/** Stands for what the variables of OpenTelemetry say. */
export const BY_ENVIRONMENT = "env";

/**
 * Decides where traces and metrics are sent.
 *
 * `OTEL_SDK_DISABLED=true` sends nothing; `OTEL_TRACES_EXPORTER` or `OTEL_METRICS_EXPORTER` set to
 * `none` switches one of them off; an endpoint of `OTEL_EXPORTER_OTLP_*` for one signal beats `otlp`.
 *
 * @param otlp - base URL of an OTLP receiver over HTTP; null leaves it to the environment
 * @throws InvalidInputError for a URL that `requireOtlpUrl` refuses
 */
export function planTelemetry(otlp: string | null, env: Environment): TelemetryPlan {
  if (otlp !== null) requireOtlpUrl(otlp);
  return {
    traces: destinationOf("TRACES", otlp, env),
    metrics: destinationOf("METRICS", otlp, env),
  };
}

function destinationOf(
  signal: "TRACES" | "METRICS",
  otlp: string | null,
  env: Environment,
): string | null {
  if (env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return null;
  if (env[`OTEL_${signal}_EXPORTER`]?.trim() === "none") return null;
  if (isSet(env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])) return BY_ENVIRONMENT;
  if (otlp !== null) return `${otlp.replace(/\/+$/, "")}/v1/${signal.toLowerCase()}`;
  return isSet(env["OTEL_EXPORTER_OTLP_ENDPOINT"]) ? BY_ENVIRONMENT : null;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}
