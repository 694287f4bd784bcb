import { createDefaultAdapters } from "@colloquy/adapters";
import { createNoAuth, openHub } from "@colloquy/hub";
import {
  createPassport,
  createResume,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createHubBench, until } from "@colloquy/testkit";
import { SpanStatusCode } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, it } from "vitest";
import { createHubTelemetry } from "./hub-telemetry.js";

it("N-234 counts a remote proxy that fails on the envelope's span, which is an error then", async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const telemetry = createHubTelemetry({ tracerProvider, meterProvider: null });
  const hub = await openHub({
    ...{ store: createMemoryStore(), adapters: createDefaultAdapters() },
    authenticators: [createNoAuth(), { scheme: "a2a", validate: async () => undefined }],
    ...telemetry.hubOptions,
  });
  const bench = createHubBench(hub);
  hub.registerRemoteProxy({
    scheme: "a2a",
    async dispatch(envelope, { agent_id }) {
      if (envelope.event_type === EV_TEXT) throw new Error("the far side is away");
      if (envelope.event_type !== EV_CHANNEL_INVITE) return;
      await hub.post({
        ...{ channel_id: envelope.channel_id, sender_id: agent_id ?? "" },
        event_type: EV_CHANNEL_INVITE_ACK,
        event_data: { channel_id: envelope.channel_id },
        causation_id: envelope.envelope_id,
      });
    },
    close: async () => undefined,
  });
  const [a, c] = [await bench.join("ada"), await bench.join("cy")];
  const remote = await hub.registerIdentity({
    passport: createPassport({ name: "bob", kind: "remote_agent", auth: { scheme: "a2a" } }),
    resume: createResume({}),
  });
  const b = remote.agent_id ?? "";
  const { channel_id } = await bench.open("discussion", a, [c, b]);
  await bench.say(channel_id, a, "hello", { audience: [c, b] });
  const texts = () =>
    exporter
      .getFinishedSpans()
      .filter(({ attributes }) => attributes["ag2.network.event_type"] === EV_TEXT);
  await until(() => texts().length === 1);
  expect(texts()[0]?.attributes["ag2.network.dispatch_failures"]).toBe(1);
  expect(texts()[0]?.status).toEqual({
    code: SpanStatusCode.ERROR,
    message: "1 dispatch failure(s)",
  });
  await hub.close();
});
