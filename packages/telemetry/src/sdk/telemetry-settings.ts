import { InvalidInputError } from "@colloquy/protocol";

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

/**
 * Checks the base URL of an OTLP receiver: http or https, and nothing in it that is a secret.
 *
 * @throws InvalidInputError, which does not show the URL
 */
export function requireOtlpUrl(text: string): void {
  const received = faultOf(text);
  if (received === null) return;
  const remedy =
    "Give a base URL such as http://127.0.0.1:4318; put credentials into OTEL_EXPORTER_OTLP_HEADERS.";
  const facts = { field: "otlp", received, remedy };
  throw new InvalidInputError(`otlp: received ${received}. ${remedy}`, facts);
}

function faultOf(text: string): string | null {
  if (!URL.canParse(text)) return "text that is no URL";
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "a URL of another scheme";
  if (username !== "" || password !== "") return "a URL with credentials";
  return search === "" && hash === "" ? null : "a URL with a query or a fragment";
}
