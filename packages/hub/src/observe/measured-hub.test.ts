import { createDefaultAdapters } from "@colloquy/adapters";
import {
  createIdSource,
  type Envelope,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  StoreError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakePeer,
  createHubBench,
  createRecordingLogger,
  faulty,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";
import type { EnvelopeEnd, HubTracing } from "./hub-tracing.js";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OWN = "00-11111111111111111111111111111111-2222222222222222-01";

async function open(options: Partial<HubOptions> = {}) {
  const store = faulty(createMemoryStore());
  const logger = createRecordingLogger();
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    ...{ store, logger, clock, ids: createIdSource({ clock }), adapters: createDefaultAdapters() },
    ...options,
  });
  const bench = createHubBench(hub);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b]);
  return { ...bench, hub, context, store, logger, clock, a, b, id };
}

function recordTraces() {
  const started: Envelope[] = [];
  const ended: { readonly envelope: Envelope; readonly end: EnvelopeEnd }[] = [];
  const tracing: HubTracing = {
    logBytes: 77,
    startEnvelope(envelope) {
      started.push(envelope);
      return { traceparent: OWN, end: (end) => void ended.push({ envelope, end }) };
    },
  };
  return { started, ended, tracing };
}

describe("a hub that is traced", () => {
  it("writes the traceparent of the span into an envelope that has none, before it is durable", async () => {
    const { tracing, started, ended } = recordTraces();
    const { hub, say, a, b, id } = await open({ tracing });
    const [mine, theirs] = [await say(id, a, "hi"), await say(id, b, "ho", { trace_id: PARENT })];
    const wal = await hub.readWal(id);
    const traceOf = (wanted: string) =>
      wal.find(({ envelope_id }) => envelope_id === wanted)?.trace_id;
    expect(traceOf(mine.envelope_id)).toBe(OWN);
    expect(traceOf(theirs.envelope_id)).toBe(PARENT);
    expect(started.map(({ event_type }) => event_type)).toEqual([EV_TEXT, EV_TEXT]);
    expect(ended.map(({ envelope }) => envelope.envelope_id)).toEqual([
      mine.envelope_id,
      theirs.envelope_id,
    ]);
    expect(ended.map(({ end }) => end)).toEqual([
      { dispatchFailures: 0, error: undefined },
      { dispatchFailures: 0, error: undefined },
    ]);
    expect(wal.filter(({ trace_id }) => trace_id !== null)).toHaveLength(2);
    expect(hub.health()).toMatchObject({ telemetry_log_bytes: 77, registered_listeners: 3 });
  });

  it("starts no span for what is refused, and ends that of what is not stored with its error", async () => {
    const { tracing, started, ended } = recordTraces();
    const { store, say, a, b, id } = await open({ tracing });
    await say(id, a, "hi");
    await expect(say(id, a, "hi", { sender_id: "nobody" })).rejects.toThrow("not registered");
    expect(started).toHaveLength(1);
    store.failNext("commit");
    await expect(say(id, b, "ho")).rejects.toThrow(StoreError);
    expect(started).toHaveLength(2);
    expect(ended[1]?.end).toEqual({ dispatchFailures: 0, error: expect.any(StoreError) });
  });

  it("counts the recipients whose connection failed to take the envelope", async () => {
    const { tracing, ended } = recordTraces();
    const { hub, context, say, a, b, id } = await open({ tracing });
    const peer = createFakePeer();
    context.delivery.bind(b, { endpointId: "e", peer, connection: hub.accept(createFakePeer()) });
    peer.failNotify = new Error("torn");
    await say(id, a, "hi");
    expect(ended.at(-1)?.end.dispatchFailures).toBe(1);
  });

  it("loses a span to a tracer's fault, and no envelope", async () => {
    const broken: HubTracing = {
      logBytes: 0,
      startEnvelope: () => {
        throw new Error("no tracer");
      },
    };
    const { hub, say, logger, a, id } = await open({ tracing: broken });
    const { envelope_id } = await say(id, a, "hi");
    const [found] = (await hub.readWal(id)).filter((one) => one.envelope_id === envelope_id);
    expect(found?.trace_id).toBeNull();
    expect(logger.at("error").map(({ message }) => message)).toEqual(["the tracer failed"]);
  });
});

describe("a hub that is measured", () => {
  it("loses figures to faults of its meters and its tracer, and no envelope", async () => {
    const broken = (): never => {
      throw new Error("no meter");
    };
    const meters: HubOptions["meters"] = {
      startCommit: broken,
      ...{ handedOver: broken, acknowledged: broken, answered: broken },
    };
    const tracing: HubTracing = {
      startEnvelope: broken,
      get logBytes(): number {
        return broken();
      },
    };
    const { hub, context, say, logger, a, b, id } = await open({ meters, tracing });
    const peer = createFakePeer();
    context.delivery.bind(b, { endpointId: "e", peer, connection: hub.accept(createFakePeer()) });
    const { envelope_id } = await say(id, a, "hi");
    const named = { recipient_id: b, channel_id: id, envelope_id };
    context.delivery.receipt({ status: "ack", reason: "", ...named });
    await say(id, b, "hello", { causation_id: envelope_id });
    expect(await hub.readWal(id)).toHaveLength(5);
    expect(context.delivery.pending(b)).toBe(0);
    expect(hub.health()).toMatchObject({ status: "ok", telemetry_log_bytes: 0 });
    expect(new Set(logger.at("error").map(({ message }) => message))).toEqual(
      new Set(["the meters failed", "the tracer failed"]),
    );
  });

  it("reports commits, handovers, acknowledgements and answers with their times", async () => {
    const commits: [number, boolean][] = [];
    const facts: [string, ...number[]][] = [];
    const meters: HubOptions["meters"] = {
      startCommit: (envelopes) => (failed) => void commits.push([envelopes, failed]),
      handedOver: (attempt, lagMs) => void facts.push(["sent", attempt, lagMs]),
      acknowledged: (lagMs) => void facts.push(["acked", lagMs]),
      answered: (turnMs) => void facts.push(["answered", turnMs]),
    };
    const { hub, context, say, store, clock, a, b, id } = await open({ meters });
    const peer = createFakePeer();
    context.delivery.bind(b, { endpointId: "e", peer, connection: hub.accept(createFakePeer()) });
    commits.length = 0;
    facts.length = 0;
    const { envelope_id } = await say(id, a, "hi");
    expect(commits).toEqual([[1, false]]);
    expect(facts).toEqual([["sent", 1, 0]]);
    clock.advance(40);
    context.delivery.receipt({
      ...{ recipient_id: b, channel_id: id, envelope_id, status: "ack", reason: "" },
    });
    await say(id, b, "ho", { causation_id: envelope_id });
    expect(facts.slice(1)).toEqual([
      ["acked", 40],
      ["answered", 40],
    ]);
    store.failNext("commit");
    await expect(say(id, a, "again")).rejects.toThrow(StoreError);
    expect(commits.at(-1)).toEqual([1, true]);
    expect((await hub.readWal(id))[1]?.event_type).toBe(EV_CHANNEL_INVITE_ACK);
  });
});
