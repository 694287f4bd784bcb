import { createConversationAdapter } from "@colloquy/adapters";
import { type ChannelAdapter, type Envelope, EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakePeer, createHubBench, createRecordingLogger } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openHub } from "../open-hub.js";
import { createAllowAllArbiter } from "../policy/allow-all-arbiter.js";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it("log lines about one envelope carry its channel, its id and its trace, whoever has failed", async () => {
  const logger = createRecordingLogger();
  const adapter = createConversationAdapter();
  const isText = ({ event_type }: Envelope) => event_type === EV_TEXT;
  const fail = (what: string): never => {
    throw new Error(`${what} has failed`);
  };
  const hub = await openHub({
    ...{ store: createMemoryStore(), logger },
    adapters: [
      {
        ...(adapter as unknown as ChannelAdapter),
        validateSend: (_channel, { event_data }) =>
          event_data["text"] === "adapter" ? fail("the adapter") : undefined,
      },
    ],
    arbiter: {
      ...createAllowAllArbiter(),
      authorizeSend: ({ envelope }) =>
        envelope.event_data["text"] === "gate" ? fail("the gate") : { allow: true },
      authorizeDispatch: ({ envelope }) =>
        isText(envelope) && envelope.event_data["text"] === "dispatch"
          ? fail("the gate")
          : { allow: true },
    },
    tracing: {
      logBytes: 0,
      startEnvelope: () => ({ traceparent: TRACE, end: () => fail("the tracer") }),
    },
    listeners: [
      { onEnvelopePosted: (envelope) => (isText(envelope) ? fail("the listener") : undefined) },
    ],
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id } = await bench.open("conversation", a, [b]);
  const say = (text: string) => bench.say(channel_id, a, text, { trace_id: TRACE });
  await expect(say("adapter")).rejects.toThrow();
  await expect(say("gate")).rejects.toThrow();
  await say("dispatch");
  const { envelope_id } = await say("hello");
  await hub.reportTurnFailure({ channel_id, agent_id: b, envelope_id, error: "no" });
  const peer = createFakePeer();
  peer.failNotify = new Error("the transport has failed");
  const connection = hub.accept(peer);
  connection.receive({ kind: "hello", name: "b", auth_scheme: "none", auth_claim: {} });
  await expect.poll(() => logger.at("error").length).toBeGreaterThan(0);
  await say("hello again").catch(() => undefined);
  await hub.close();

  const lines = [...logger.at("error"), ...logger.at("warn")];
  const messages = new Set(lines.map(({ message }) => message));
  for (const message of [
    "a channel adapter has failed",
    "a gate of the arbiter failed; the request is refused",
    "the tracer failed",
    "a listener failed",
    "a turn has failed",
    "a connection failed to take a notify",
  ]) {
    expect([...messages]).toContain(message);
  }
  for (const { message, fields } of lines) {
    expect(fields, message).toMatchObject({ channel_id, trace_id: TRACE });
    const isRefused = message.includes("adapter") || fields["gate"] === "authorizeSend";
    if (!isRefused) expect(fields["envelope_id"], message).toMatch(/^[0-9a-f]{32}$/);
  }
});
