import { createDefaultAdapters } from "@colloquy/adapters";
import { createEnvelope, type Expectation, ProtocolError } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { createSpanMaker } from "./hub-telemetry.js";
import { createTelemetryListener } from "./telemetry-listener.js";

function listen() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const listener = createTelemetryListener(createSpanMaker(provider));
  return { listener, spans: () => exporter.getFinishedSpans() };
}

const [conversation] = createDefaultAdapters().filter(
  ({ manifest }) => manifest.type === "conversation",
);
if (conversation === undefined) throw new Error("there is no adapter for conversations");
const { manifest } = conversation;

const AT = "2026-01-01T00:00:05.000000+00:00";
const STARTED = "2026-01-01T00:00:00.000000+00:00";

describe("the telemetry listener alone", () => {
  it("N-231 dates the span of a completed task back to its start", () => {
    const { listener, spans } = listen();
    listener.onTaskEvent?.("t1", "completed", {
      ...{ owner_id: "o", channel_id: "ch", reason: "", capability: "c" },
      ...{ outcome: "completed", started_at: STARTED, at: AT },
    });
    expect(spans()).toHaveLength(1);
    const [span] = spans();
    expect(span?.name).toBe("network.task c");
    expect(span?.status.code).toBe(SpanStatusCode.OK);
    expect(span?.duration).toEqual([5, 0]);
    expect(span?.attributes).toEqual({
      "ag2.span.type": "task",
      "ag2.network.task_id": "t1",
      "ag2.network.capability": "c",
      "ag2.network.outcome": "completed",
      "ag2.network.channel_id": "ch",
      "ag2.network.owner_id": "o",
    });
  });

  it("N-232 makes no span of a task that has only started or gone on", () => {
    const { listener, spans } = listen();
    for (const kind of ["started", "progress", "running"]) listener.onTaskEvent?.("t1", kind, {});
    expect(spans()).toEqual([]);
  });

  it.each(["failed", "expired", "cancelled"])("makes the span of a %s task an error", (kind) => {
    const { listener, spans } = listen();
    listener.onTaskEvent?.("t1", kind, { reason: "no luck", started_at: AT, at: STARTED });
    expect(spans()[0]?.name).toBe("network.task task");
    expect(spans()[0]?.status).toEqual({ code: SpanStatusCode.ERROR, message: "no luck" });
    expect(spans()[0]?.duration).toEqual([0, 0]);
  });

  it("puts what happens in a channel on its span, which ends as an error when it expires", () => {
    const { listener, spans } = listen();
    const metadata = fakeChannel(manifest, ["a", "b"]);
    const { channel_id } = metadata;
    const envelope = createEnvelope({
      ...{ channel_id, sender_id: "a", event_type: "ag2.msg.text", event_data: {} },
    });
    const expectation: Expectation = {
      name: "max_silence",
      on_violation: "audit",
      params: {},
      applies_to: null,
    };
    listener.onChannelEvent?.(channel_id, "created", { metadata, participants: [], at: STARTED });
    listener.onChannelEvent?.(channel_id, "opened", { metadata });
    listener.onEnvelopeRejected?.(envelope, new ProtocolError("not your turn"));
    listener.onDispatchFailed?.(envelope, "b", "no remote proxy");
    listener.onTurnFailed?.({ channel_id, agent_id: "b", envelope_id: "e1", error: "boom" });
    listener.onExpectationFired?.(channel_id, expectation, ["b"], {});
    listener.onChannelEvent?.(channel_id, "expired", { reason: "ttl_expired", metadata, at: AT });
    listener.onEnvelopeRejected?.(envelope, new ProtocolError("too late"));
    const [span] = spans();
    expect(spans()).toHaveLength(1);
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: "expired" });
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["opened", {}],
      [
        "envelope_rejected",
        {
          "ag2.network.sender_id": "a",
          "ag2.network.event_type": "ag2.msg.text",
          "ag2.error.type": "ProtocolError",
          "ag2.error.message": "not your turn",
        },
      ],
      [
        "dispatch_failed",
        {
          "ag2.network.recipient_id": "b",
          "ag2.network.envelope_id": "",
          "ag2.error.type": "Error",
          "ag2.error.message": "no remote proxy",
        },
      ],
      [
        "turn_failed",
        {
          "ag2.agent.id": "b",
          "ag2.network.envelope_id": "e1",
          "ag2.error.type": "RuntimeError",
          "ag2.error.message": "boom",
        },
      ],
      [
        "expectation.max_silence",
        {
          "ag2.expectation.name": "max_silence",
          "ag2.expectation.on_violation": "audit",
          "ag2.expectation.violators": ["b"],
        },
      ],
      ["expired", { "ag2.reason": "ttl_expired" }],
    ]);
  });

  it("shows pressure on an agent's lifetime, and takes no harm from what it never saw begin", () => {
    const { listener, spans } = listen();
    listener.onInboxPressure?.("stranger", 9, 10);
    listener.onChannelEvent?.("stranger", "closed", { reason: "done" });
    listener.onAgentEvent?.("stranger", "unregistered", { name: "x" });
    listener.onAgentEvent?.("stranger", "resume_set", { version: 2 });
    expect(spans().map(({ name }) => name)).toEqual(["agent.resume_set stranger"]);
    listener.onAgentEvent?.("a", "registered", { passport: { name: "ada" } });
    listener.onInboxPressure?.("a", 8, 10);
    listener.onAgentEvent?.("a", "bound", {});
    listener.onAgentEvent?.("a", "unregistered", { name: "ada" });
    expect(spans()[1]?.events[0]).toMatchObject({
      name: "inbox_pressure",
      attributes: { "ag2.inbox.pending": 8, "ag2.inbox.cap": 10 },
    });
  });

  it("bounds what others can put on a span", () => {
    const { listener, spans } = listen();
    const metadata = fakeChannel(manifest, ["a", "b"]);
    const { channel_id } = metadata;
    listener.onChannelEvent?.(channel_id, "created", { metadata });
    for (let n = 0; n < 1_000; n += 1) {
      listener.onTurnFailed?.({
        channel_id,
        agent_id: "b",
        envelope_id: "e",
        error: "x".repeat(9_999),
      });
    }
    listener.onChannelEvent?.(channel_id, "closed", { reason: "y".repeat(9_999) });
    const events = spans()[0]?.events ?? [];
    expect(events.length).toBe(128);
    const longest = events.flatMap(({ attributes }) => Object.values(attributes ?? {}));
    expect(Math.max(...longest.map((value) => String(value).length))).toBe(500);
  });
});
