import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub, type Refusal } from "@colloquy/hub";
import {
  createPassport,
  createResume,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type HubConnection,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakePeer, createHubBench, until } from "@colloquy/testkit";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { describe, expect, it } from "vitest";
import { createHubTelemetry } from "../hub/hub-telemetry.js";

/** A hub whose refusals are counted twice: as figures, and by a listener of the test. */
async function open(limits = {}) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const telemetry = createHubTelemetry({
    tracerProvider: null,
    meterProvider: new MeterProvider({ readers: [reader] }),
  });
  const heard: Refusal[] = [];
  const hub = await openHub({
    ...{ store: createMemoryStore(), adapters: createDefaultAdapters(), limits },
    listeners: [...telemetry.hubOptions.listeners, { onRefused: (one) => void heard.push(one) }],
  });
  const figures = async (): Promise<Record<string, number>> => {
    await reader.forceFlush();
    const metrics =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((one) => one.metrics) ?? [];
    const points = metrics.find(({ descriptor }) => descriptor.name === "colloquy.refusals");
    return Object.fromEntries(
      (points?.dataPoints ?? []).map(({ attributes: { what, code, gate }, value }) => [
        `${what} ${code} ${gate}`,
        Number(value),
      ]),
    );
  };
  const close = async () => {
    await hub.close();
    await reader.shutdown();
  };
  return { hub, telemetry, heard, figures, [Symbol.asyncDispose]: close };
}

describe("the figures of refusals", () => {
  it("count every kind of refusal, by what was wanted, code and check", async () => {
    await using bench = await open({ maxEnvelopeBytes: 2_000, maxUnboundConnections: 2 });
    const { hub, heard, figures } = bench;
    const { join, open: openChannel, say } = createHubBench(hub);
    const [a, b] = [
      await join("ada"),
      await join("bob", { rule: { access: { outbound_to: [] } } }),
    ];
    const { channel_id } = await openChannel("conversation", a, [b]);
    const foreign = await openChannel("conversation", a, [b]);
    await expect(say(channel_id, "nobody", "x")).rejects.toThrow();
    await expect(say(channel_id, a, "x".repeat(2_000))).rejects.toThrow();
    await expect(say(channel_id, a, "x", { depth: 99 })).rejects.toThrow();
    await expect(say(channel_id, a, "", { event_type: EV_CHANNEL_INVITE_ACK })).rejects.toThrow();
    await expect(openChannel("séance", a, [b])).rejects.toThrow();
    await expect(
      hub.registerIdentity({ passport: createPassport({ name: "ada" }), resume: createResume() }),
    ).rejects.toThrow();
    const peer = createFakePeer();
    const connection: HubConnection = hub.accept(peer);
    connection.receive({ kind: "hello", name: "nobody", auth_scheme: "none", auth_claim: {} });
    const ask = (op: string, params: Readonly<Record<string, unknown>>) =>
      connection.receive({ kind: "request", request_id: `r ${op}`, op, params });
    ask("get_channel", { channel_id: foreign.channel_id });
    ask("query_audit", {});
    const unknown = { recipient_id: a, channel_id, envelope_id: "0".repeat(32) };
    connection.receive({ kind: "receipt", ...unknown, status: "ack", reason: "" });
    connection.receiveBad(new Error("no frame"));
    hub.accept(createFakePeer());
    hub.accept(createFakePeer());
    const wanted = ["post", "invite", "open", "registration", "authentication", "operation"];
    await until(() => wanted.every((what) => heard.some((one) => one.what === what)));
    const counted = await figures();
    const own: Record<string, number> = {};
    for (const { what, code, gate = "none" } of heard) {
      const key = `${what} ${code} ${gate}`;
      own[key] = (own[key] ?? 0) + 1;
    }
    expect(counted).toEqual(own);
    expect(counted).toMatchObject({ "post access_denied authorizeSend": 1 });
    const kinds = new Set(Object.keys(counted).map((key) => key.split(" ")[0]));
    expect([...kinds].sort()).toEqual([...wanted, "connection", "frame", "receipt"].sort());
  });

  it("count those that the audit log only counts, and take no label from outside", async () => {
    await using bench = await open({ auditedRefusalsPerMinute: 1 });
    const { hub, telemetry, heard, figures } = bench;
    for (let n = 0; n < 50; n += 1) {
      const text = { channel_id: `c${n}`, sender_id: `s${n}`, event_type: EV_TEXT, event_data: {} };
      await expect(hub.post(text)).rejects.toThrow();
    }
    expect(heard.filter(({ counted }) => counted).length).toBeGreaterThan(0);
    expect(Object.values(await figures())).toEqual([50]);
    const [listener] = telemetry.hubOptions.listeners;
    for (let n = 0; n < 5; n += 1) {
      const odd = { refusal_id: "r", reason: "", counted: false, what: "post" } as const;
      listener?.onRefused?.({ ...odd, code: `code-${n}`, gate: `gate-${n}` });
    }
    expect((await figures())["post error other"]).toBe(5);
    expect(Object.keys(await figures())).toHaveLength(2);
  });
});
