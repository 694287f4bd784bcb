import type { Hub } from "@colloquy/hub";
import type { OperatorPage } from "@colloquy/hub/ws";
import type { Clock, Logger } from "@colloquy/protocol";
import { createHubTelemetry, type HubTelemetry } from "@colloquy/telemetry";
import type { ServeSettings } from "../config/serve-settings.js";

/** Milliseconds that a receiver which does not answer may hold up the end of the process. */
const STOP_LIMIT_MS = 3_000;

/** The traces and metrics of one hub, from before it opens until after it has closed. */
export interface HubWatch {
  /** For `openHub`. */
  readonly hubOptions: Partial<HubTelemetry["hubOptions"]>;
  /** For `GET /metrics`; absent unless it was asked for. */
  readonly metricsPage: OperatorPage | undefined;
  /** Shows the opened hub's health as figures. */
  watch(hub: Pick<Hub, "health">): void;
  /** For a hub that has closed: sends what waits, within a few seconds. Never rejects. */
  stop(): Promise<void>;
}

/** A hub that nobody traces or measures. */
const NO_WATCH: HubWatch = {
  hubOptions: {},
  metricsPage: undefined,
  watch: () => undefined,
  stop: async () => undefined,
};

/** Starts what settings and the variables of OpenTelemetry ask for; without a wish its SDK is not even loaded. */
export async function startHubWatch(
  settings: Pick<ServeSettings, "data" | "otlp" | "metrics" | "traces" | "spanLogBytes">,
  env: Readonly<Record<string, string | undefined>>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<HubWatch> {
  const asksByVariable = Object.keys(env).some((name) => name.startsWith("OTEL_EXPORTER_OTLP_"));
  const { data, otlp, metrics, traces, spanLogBytes } = settings;
  if (otlp === "" && !metrics && !traces && !asksByVariable) return NO_WATCH;
  const { openFileSpanLog, startTelemetry } = await import("@colloquy/telemetry/node");
  const sdk = startTelemetry({
    ...{ serviceName: "colloquy-hub", global: false, logger, env },
    ...{ otlp: otlp === "" ? undefined : otlp, metricsPage: metrics, traces },
  });
  const { tracerProvider, meterProvider } = sdk;
  const path = `${data}.spans.jsonl`;
  const keeps = tracerProvider !== null && spanLogBytes > 0;
  const log = keeps ? await openFileSpanLog({ path, maxBytes: spanLogBytes, logger }) : undefined;
  const telemetry = createHubTelemetry({ tracerProvider, meterProvider, log });
  return {
    hubOptions: telemetry.hubOptions,
    metricsPage: sdk.metricsPage ?? undefined,
    watch: (hub) => void telemetry.watch(hub),
    async stop() {
      telemetry.endSpans();
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        const timer = clock.setTimer(STOP_LIMIT_MS, resolve);
        cancel = () => timer.cancel();
      });
      await Promise.race([sdk.stop(), late]);
      cancel();
      await log?.close();
    },
  };
}
