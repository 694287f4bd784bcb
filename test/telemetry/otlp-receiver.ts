import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP over HTTP carries it in JSON, as far as tests look. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** A receiver of OTLP over HTTP in this process. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names of the figures that have come. */
  readonly metricNames: ReadonlySet<string>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type Raw = Readonly<Record<string, unknown>>;

/** Starts a receiver on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metricNames = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Raw;
      if (request.url === "/v1/traces") spans.push(...spansOf(body));
      if (request.url === "/v1/metrics") for (const name of namesOf(body)) metricNames.add(name);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metricNames,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf(body: Raw): ReceivedSpan[] {
  return listOf(body, "resourceSpans").flatMap((group) => {
    const resource = (group["resource"] ?? {}) as Raw;
    const service = String(attributesOf(resource)["service.name"]);
    return listOf(group, "scopeSpans").flatMap((scope) =>
      listOf(scope, "spans").map((span) => ({
        ...(span as unknown as ReceivedSpan),
        service,
        attributes: attributesOf(span),
        links: listOf(span, "links").map((link) => ({
          traceId: String(link["traceId"]),
          spanId: String(link["spanId"]),
          attributes: attributesOf(link),
        })),
      })),
    );
  });
}

function namesOf(body: Raw): string[] {
  return listOf(body, "resourceMetrics").flatMap((group) =>
    listOf(group, "scopeMetrics").flatMap((scope) =>
      listOf(scope, "metrics").map(({ name }) => String(name)),
    ),
  );
}

function attributesOf(holder: Raw): Record<string, unknown> {
  const list = (holder["attributes"] ?? []) as readonly OtlpAttribute[];
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function listOf(holder: Raw, key: string): Raw[] {
  return (holder[key] ?? []) as Raw[];
}
