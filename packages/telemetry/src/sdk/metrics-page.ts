import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";

/** A page of figures that Prometheus reads. */
export interface MetricsPage {
  /** Of what `render` gives, for the HTTP header. */
  readonly contentType: string;
  /** The figures as they are now, in Prometheus's text format. */
  render(): Promise<string>;
}

/** Makes a {@link MetricsPage}, and the reader that a meter provider needs for it. */
export function createMetricsPage(): {
  readonly reader: IMetricReader;
  readonly page: MetricsPage;
} {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  return {
    reader,
    page: {
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      async render() {
        const { resourceMetrics } = await reader.collect();
        return serializer.serialize(resourceMetrics);
      },
    },
  };
}
