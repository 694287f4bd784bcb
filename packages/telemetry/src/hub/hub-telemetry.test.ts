import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { type Envelope, EV_TEXT, parseTraceparent } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createHubBench } from "@colloquy/testkit";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import { createMemorySpanLog } from "../log/memory-span-log.js";
import { createHubTelemetry } from "./hub-telemetry.js";

const CLIENTS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

afterEach(() => context.disable());

async function open() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const log = createMemorySpanLog();
  const telemetry = createHubTelemetry({ tracerProvider, meterProvider: null, log });
  const hub = await openHub({
    store: createMemoryStore(),
    adapters: createDefaultAdapters(),
    ...telemetry.hubOptions,
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("ada"), await bench.join("bob")];
  const ended = (type: string): ReadableSpan[] =>
    exporter.getFinishedSpans().filter(({ attributes }) => attributes["ag2.span.type"] === type);
  return { ...bench, hub, telemetry, tracerProvider, log, a, b, ended };
}

const linksOf = ({ links }: ReadableSpan) =>
  links.map(({ context: { traceId, spanId }, attributes }) => ({
    ...{ traceId, spanId, kind: attributes?.["ag2.link.kind"] },
  }));
const wherever = async (hub: { readWal(id: string): Promise<readonly Envelope[]> }, id: string) =>
  (await hub.readWal(id)).filter(({ event_type }) => event_type === EV_TEXT);

describe("the traces of a hub", () => {
  it("N-229 hold one PRODUCER span for a text, whose traceparent stands in the log", async () => {
    const { hub, open: openChannel, say, a, b, ended } = await open();
    const { channel_id } = await openChannel("conversation", a, [b]);
    const { envelope_id } = await say(channel_id, a, "hello");
    const spans = ended("envelope");
    expect(spans).toHaveLength(1);
    const [span] = spans;
    expect(span?.name).toBe(`network.envelope ${EV_TEXT}`);
    expect(span?.kind).toBe(SpanKind.PRODUCER);
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toEqual({
      "ag2.span.type": "envelope",
      "ag2.network.channel_id": channel_id,
      "ag2.network.sender_id": a,
      "ag2.network.event_type": EV_TEXT,
      "ag2.network.envelope_id": envelope_id,
    });
    expect(span?.instrumentationScope).toMatchObject({
      name: "opentelemetry.instrumentation.ag2",
      schemaUrl: "https://opentelemetry.io/schemas/1.11.0",
    });
    const [text] = await wherever(hub, channel_id);
    expect(parseTraceparent(text?.trace_id)).toEqual({
      traceId: span?.spanContext().traceId,
      spanId: span?.spanContext().spanId,
      flags: 1,
    });
  });

  it("link an envelope to its channel, to the sender's own span and to the one that is current", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const { hub, open: openChannel, say, tracerProvider, a, b, ended } = await open();
    const { channel_id } = await openChannel("conversation", a, [b]);
    const outer = tracerProvider.getTracer("test").startSpan("outer");
    await context.with(trace.setSpan(context.active(), outer), () =>
      say(channel_id, a, "hello", { trace_id: CLIENTS, causation_id: "c-1", audience: [b] }),
    );
    await hub.closeChannel(channel_id);
    const [envelope] = ended("envelope");
    const [channel] = ended("channel");
    if (envelope === undefined || channel === undefined) throw new Error("a span is missing");
    const { traceId, spanId } = channel.spanContext();
    expect(linksOf(envelope)).toEqual([
      { traceId, spanId, kind: "in_channel" },
      { traceId: CLIENTS.slice(3, 35), spanId: CLIENTS.slice(36, 52), kind: "triggered_by" },
      {
        ...{ traceId: outer.spanContext().traceId, spanId: outer.spanContext().spanId },
        kind: "triggered_by",
      },
    ]);
    expect(envelope.attributes).toMatchObject({
      ...{ "ag2.network.causation_id": "c-1", "ag2.network.audience": [b] },
    });
    expect(envelope.spanContext().traceId).not.toBe(outer.spanContext().traceId);
    const [text] = await wherever(hub, channel_id);
    expect(text?.trace_id).toBe(CLIENTS);
  });

  it("N-230 mirror a channel's span with its events to the span log, whose bytes health shows", async () => {
    const { hub, open: openChannel, log, a, b } = await open();
    const { channel_id } = await openChannel("conversation", a, [b]);
    await hub.closeChannel(channel_id, "done");
    const records = await log.read();
    const [channel] = records.filter(({ attributes }) => attributes["ag2.span.type"] === "channel");
    expect(channel).toMatchObject({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "network.channel conversation",
      kind: "INTERNAL",
      start: expect.stringMatching(/Z$/),
      end: expect.stringMatching(/Z$/),
      status: "UNSET",
      attributes: {
        "ag2.network.channel_id": channel_id,
        "ag2.network.manifest_type": "conversation",
        "ag2.network.creator_id": a,
      },
      links: [],
    });
    const events = channel?.events.map(({ name, attributes }) => [name, attributes]);
    expect(events).toEqual([
      ["opened", {}],
      ["closed", { "ag2.reason": "done" }],
    ]);
    expect(channel).not.toHaveProperty("parent_span_id");
    expect(hub.health().telemetry_log_bytes).toBe(log.bytes);
    expect(hub.health().telemetry_log_bytes).toBeGreaterThan(0);
  });

  it("N-233 are absent from a hub without a tracer, and so is the trace id", async () => {
    const hub = await openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });
    const bench = createHubBench(hub);
    const [a, b] = [await bench.join("ada"), await bench.join("bob")];
    const { channel_id } = await bench.open("conversation", a, [b]);
    await bench.say(channel_id, a, "hello");
    const [text] = await wherever(hub, channel_id);
    expect(text?.trace_id).toBeNull();
    expect(hub.health().telemetry_log_bytes).toBe(0);
  });

  it("follow an agent from its registration to its end, with its changes below it", async () => {
    const { hub, a, ended } = await open();
    await hub.setSkill(a, "# Ada");
    await hub.setRule(a, await hub.getRule(a));
    await hub.recordObservation({ owner_id: a, capability: "sums", outcome: "completed" });
    await hub.unregister(a);
    const [lifetime] = ended("agent_lifetime");
    expect(lifetime?.name).toBe("agent.lifetime ada");
    expect(lifetime?.attributes).toMatchObject({ "ag2.agent.id": a, "gen_ai.agent.name": "ada" });
    expect(lifetime?.events.map(({ name }) => name)).toEqual(["unregistered"]);
    const changes = ended("agent_event");
    expect(changes.map(({ name }) => name)).toEqual([
      `agent.skill_set ${a}`,
      `agent.rule_set ${a}`,
      `agent.resume_set ${a}`,
    ]);
    for (const change of changes) {
      expect(change.parentSpanContext?.spanId).toBe(lifetime?.spanContext().spanId);
    }
    expect(changes[0]?.attributes).toMatchObject({ "ag2.agent.skill_removed": false });
    expect(changes[2]?.attributes).toMatchObject({
      "ag2.agent.resume_source": "observed",
      "ag2.agent.capability": "sums",
      "ag2.agent.outcome": "completed",
    });
  });

  it("end what is still there when the hub has closed, marked as interrupted", async () => {
    const { hub, open: openChannel, telemetry, a, b, ended } = await open();
    await openChannel("conversation", a, [b]);
    await hub.close();
    expect(ended("channel")).toEqual([]);
    telemetry.endSpans();
    telemetry.endSpans();
    expect(ended("channel").map(({ attributes }) => attributes["colloquy.interrupted"])).toEqual([
      true,
    ]);
    expect(ended("agent_lifetime")).toHaveLength(2);
  });
});
