import {
  agentTarget,
  createDefaultAdapters,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { type Agent, createHubClient, createScriptedAgent, type Reply } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED, EV_PACKET, EV_TEXT, handoff } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createHubTelemetry } from "@colloquy/telemetry";
import { traceChat, withTelemetry } from "@colloquy/telemetry/agent";
import { type StartedTelemetry, startTelemetry } from "@colloquy/telemetry/node";
import { createRecordingLogger } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.js";

const CLIENTS_OWN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const linkOf = ({ links }: ReceivedSpan, kind: string) => {
  const found = links.filter(({ attributes }) => attributes["ag2.link.kind"] === kind);
  return found.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
};
const placeOf = ({ traceId, spanId }: ReceivedSpan) => `${traceId} ${spanId}`;

/** Three agents, each with an SDK of its own, that pass a question from Desk over Store to Driver. */
async function runWorkflow(receiver: OtlpReceiver) {
  const sdks: StartedTelemetry[] = [];
  const start = (serviceName: string, global: boolean) => {
    const sdk = startTelemetry({ serviceName, otlp: receiver.url, global, env: {} });
    sdks.push(sdk);
    return sdk;
  };
  const telemetry = createHubTelemetry(start("hub", false));
  const hub = await openHub({
    ...{ store: createMemoryStore(), adapters: createDefaultAdapters() },
    ...telemetry.hubOptions,
  });
  telemetry.watch(hub);
  const server = await serveWebSocket(hub);
  const clients = ["Desk", "Store", "Driver"].map(() =>
    createHubClient({ link: createNodeLink(server.url) }),
  );
  const [deskSdk, ...others] = [start("desk", true), start("store", false), start("driver", false)];
  const join = (at: number, agent: Agent) => {
    const sdk = [deskSdk, ...others][at];
    const { tracerProvider, meterProvider } = sdk ?? {};
    const options = {
      tracerProvider: tracerProvider ?? undefined,
      meterProvider: meterProvider ?? undefined,
    };
    const client = clients[at];
    if (client === undefined) throw new Error("there is no such client");
    return client.register(withTelemetry(agent, options));
  };
  const desk = await join(0, createScriptedAgent("Desk"));
  const store = await join(
    1,
    createScriptedAgent("Store", async ({ context }): Promise<Reply> => {
      await context.channel.setContext({ weight_kg: 12 });
      const text = await traceChat({ provider: "test", model: "m-1" }, async (tell) => {
        tell({ model: "m-1-x", inputTokens: 7, outputTokens: 3, finishReasons: ["stop"] });
        return "It weighs 12 kg.";
      });
      const result = handoff("Driver", "too heavy");
      const call = { id: "call-1", name: "ask_driver" };
      return {
        text,
        events: [
          { type: "tool_call", ...call, arguments: {} },
          { type: "tool_result", id: call.id, result },
        ],
      };
    }),
  );
  const driver = await join(2, createScriptedAgent("Driver", ["On Thursday."]));
  const graph: TransitionGraph = {
    initial_speaker: desk.agentId,
    transitions: [transition(fromSpeaker(desk.agentId), agentTarget(store.agentId))],
    default_target: terminateTarget("done"),
    max_turns: 10,
  };
  const channel = await desk.open({
    type: "workflow",
    target: ["Store", "Driver"],
    knobs: { graph },
  });
  await channel.send("When does it come?", { trace_id: CLIENTS_OWN });
  const isClosed = ({ event_type }: { event_type: string }) => event_type === EV_CHANNEL_CLOSED;
  await desk.waitForChannelEvent(channel.channelId, isClosed, 10_000);
  const wal = await hub.readWal(channel.channelId);
  for (const client of clients) await client.drain();
  await hub.drain();
  await server.stop();
  telemetry.endSpans();
  for (const sdk of sdks) {
    await sdk.flush();
    await sdk.stop();
  }
  return { wal, store, driver };
}

it("a workflow of three agents arrives at a receiver of OTLP as spans that are linked from end to end", async () => {
  await using receiver = await startOtlpReceiver();
  const { wal, store, driver } = await runWorkflow(receiver);
  const spans = (name: string) => receiver.spans.filter((span) => span.name === name);
  const one = (name: string): ReceivedSpan => {
    const found = spans(name);
    expect(found, name).toHaveLength(1);
    if (found[0] === undefined) throw new Error(`there is no span ${name}`);
    return found[0];
  };
  const channel = one("network.channel workflow");
  const question = one(`network.envelope ${EV_TEXT}`);
  const storesTurn = one("invoke_agent Store");
  const driversTurn = one("invoke_agent Driver");
  const packets = spans(`network.envelope ${EV_PACKET}`);
  const packetOf = (agentId: string) =>
    packets.filter(({ attributes }) => attributes["ag2.network.sender_id"] === agentId);

  const given = `${CLIENTS_OWN.slice(3, 35)} ${CLIENTS_OWN.slice(36, 52)}`;
  expect(linkOf(question, "triggered_by")).toEqual([given]);
  expect(linkOf(storesTurn, "triggered_by")).toEqual([given]);
  expect(packetOf(store.agentId)).toHaveLength(1);
  for (const packet of packetOf(store.agentId)) {
    expect(linkOf(packet, "triggered_by")).toEqual([placeOf(storesTurn)]);
  }
  expect(linkOf(driversTurn, "triggered_by")).toEqual([placeOf(storesTurn)]);
  for (const packet of packetOf(driver.agentId)) {
    expect(linkOf(packet, "triggered_by")).toEqual([placeOf(driversTurn)]);
  }
  for (const span of [question, ...packets]) {
    expect(linkOf(span, "in_channel")).toEqual([placeOf(channel)]);
    expect(span.parentSpanId ?? "").toBe("");
  }
  expect(new Set(receiver.spans.map(({ service }) => service))).toEqual(
    new Set(["hub", "store", "driver", "desk"]),
  );
  expect([storesTurn.service, driversTurn.service]).toEqual(["store", "driver"]);

  // What the store's turn has set on its way carries the turn as well.
  const traces = wal.map(({ sender_id, event_type, trace_id }) => ({
    ...{ sender_id, event_type, trace: trace_id?.slice(3, 52) },
  }));
  const storesTrace = `${storesTurn.traceId}-${storesTurn.spanId}`;
  const storesWords = traces.filter(
    ({ sender_id, event_type }) => sender_id === store.agentId && !event_type.includes(".channel."),
  );
  expect(storesWords.map(({ trace }) => trace)).toEqual([storesTrace, storesTrace]);

  const chat = one("chat m-1");
  expect([chat.traceId, chat.parentSpanId]).toEqual([storesTurn.traceId, storesTurn.spanId]);
  expect(chat.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "test",
    "gen_ai.request.model": "m-1",
    "gen_ai.response.model": "m-1-x",
    "gen_ai.usage.input_tokens": 7,
  });
  expect(storesTurn.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "Store",
    "gen_ai.agent.id": store.agentId,
    "gen_ai.conversation.id": wal[0]?.channel_id,
  });
  expect(receiver.metricNames).toContain("colloquy.admissions");
  expect(receiver.metricNames).toContain("colloquy.connections");
  expect(receiver.metricNames).toContain("gen_ai.client.operation.duration");
  expect(JSON.stringify(receiver.spans)).not.toContain("12 kg");
});

it("a receiver that cannot be reached costs a log line, and no envelope and no end", async () => {
  const receiver = await startOtlpReceiver();
  const { url } = receiver;
  await receiver[Symbol.asyncDispose]();
  const logger = createRecordingLogger();
  const sdk = startTelemetry({ otlp: url, global: false, logger, env: {} });
  const telemetry = createHubTelemetry(sdk);
  const hub = await openHub({ store: createMemoryStore(), ...telemetry.hubOptions });
  expect(hub.health().status).toBe("ok");
  await hub.close();
  telemetry.endSpans();
  const span = sdk.tracerProvider?.getTracer("test").startSpan("lost");
  span?.end();
  await sdk.stop();
  await sdk.stop();
  expect(logger.at("warn").map(({ message }) => message)).toContain("telemetry could not be sent");
}, 30_000);
