import { createDefaultAdapters, createDiscussionAdapter } from "@colloquy/adapters";
import { createNoAuth, openHub } from "@colloquy/hub";
import {
  type ChannelAdapter,
  createPassport,
  createResume,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createHubBench, faulty, settle, until } from "@colloquy/testkit";
import type { Span } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { createHubTelemetry } from "./hub-telemetry.js";

type Settle = () => void;

/** A channel type in which any number of participants talk as they like. */
function createFreeAdapter(): ChannelAdapter {
  const adapter = createDiscussionAdapter();
  const manifest = { ...adapter.manifest, type: "free", expectations: [] };
  const talk = { validateSend: () => undefined, expectedNext: () => null };
  return { ...(adapter as unknown as ChannelAdapter), ...talk, manifest };
}

/** A hub whose every span is counted from its start to its end, with one participant who lives elsewhere. */
async function open(store = createMemoryStore(), limits = {}) {
  const underWay = new Set<string>();
  const ended: ReadableSpan[] = [];
  const idOf = (span: Span | ReadableSpan) => span.spanContext().spanId;
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [
      {
        onStart: (span) => void underWay.add(idOf(span)),
        onEnd(span) {
          underWay.delete(idOf(span));
          ended.push(span);
        },
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
      new SimpleSpanProcessor(exporter),
    ],
  });
  const clock = createFakeClock();
  const faults = faulty(store);
  const telemetry = createHubTelemetry({ tracerProvider, meterProvider: null });
  const hub = await openHub({
    ...{
      store: faults,
      adapters: [...createDefaultAdapters(), createFreeAdapter()],
      clock,
      limits,
    },
    authenticators: [createNoAuth(), { scheme: "a2a", validate: async () => undefined }],
    ...telemetry.hubOptions,
  });
  const held: Settle[] = [];
  hub.registerRemoteProxy({
    scheme: "a2a",
    async dispatch({ event_type, channel_id, envelope_id }, { agent_id }) {
      if (event_type === EV_TEXT) return new Promise<void>((resolve) => void held.push(resolve));
      if (event_type !== EV_CHANNEL_INVITE) return undefined;
      const event_data = { channel_id };
      const answer = { channel_id, sender_id: agent_id ?? "", event_data };
      await hub.post({
        ...answer,
        event_type: EV_CHANNEL_INVITE_ACK,
        causation_id: envelope_id,
      });
      return undefined;
    },
    close: async () => undefined,
  });
  const bench = createHubBench(hub);
  const joinRemote = async (name: string) => {
    const passport = createPassport({ name, kind: "remote_agent", auth: { scheme: "a2a" } });
    const { agent_id } = await hub.registerIdentity({ passport, resume: createResume({}) });
    return agent_id ?? "";
  };
  const textSpans = () =>
    ended.filter(({ attributes }) => attributes["ag2.network.event_type"] === EV_TEXT);
  return {
    ...{ ...bench, hub, clock, telemetry, faults, held, underWay, ended, textSpans, joinRemote },
    async [Symbol.asyncDispose]() {
      await hub.close();
    },
  };
}

describe("the spans of a hub that are under way", () => {
  it("are none after channels, agents and envelopes have ended in every way there is", async () => {
    await using bench = await open(createMemoryStore(), { remoteDispatchTimeoutMs: 50 });
    const { hub, faults, held, underWay } = bench;
    const [a, b, c] = [await bench.join("ada"), await bench.join("bob"), await bench.join("cy")];
    const remote = await bench.joinRemote("far");
    const silent = await bench.join("mute", { invites: "silent" });
    const refuser = await bench.join("no", { invites: "reject" });
    const channels: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      channels.push((await bench.open("free", a, [b, c, remote])).channel_id);
    }
    const [first = "", second = "", third = "", fourth = ""] = channels;
    expect(underWay.size).toBe(6 + 4);
    // Told at once, to a far side that answers, to one that does not, and to one that is taken away.
    await bench.say(first, a, "one", { audience: [b] });
    const slow = [first, second, third].map((id) =>
      bench.say(id, a, "two", { audience: [remote] }),
    );
    await Promise.all(slow);
    await until(() => held.length === 3);
    held.shift()?.();
    await settle();
    await bench.clock.advanceAsync(50);
    await bench.say(fourth, a, "three", { audience: [remote, b] });
    // Refused, asked for only, not stored, and stored though the commit seemed to have failed.
    await expect(bench.say(first, "nobody", "x")).rejects.toThrow();
    await expect(bench.say(first, a, "x".repeat(2_000_000))).rejects.toThrow();
    await hub.wouldAccept({
      ...{ channel_id: second, sender_id: a, event_type: EV_TEXT, event_data: { text: "four" } },
    });
    faults.failNext("commit");
    await expect(bench.say(second, a, "five")).rejects.toThrow();
    faults.tearNext("written");
    await expect(bench.say(third, a, "six")).rejects.toThrow();
    // Channels that do not come about.
    await expect(bench.open("consulting", a, [refuser])).rejects.toThrow();
    const unanswered = bench.open("consulting", a, [silent]);
    const lapsed = expect(unanswered).rejects.toThrow();
    await settle();
    await bench.clock.advanceAsync(120_000);
    await lapsed;
    faults.failNext("commit");
    await expect(bench.open("conversation", a, [b])).rejects.toThrow();
    // Ends: closed, expired, closed by commits that fail or seem to, left by its members.
    const brief = await bench.open("conversation", a, [b], { ttl: "1s" });
    await bench.clock.advanceAsync(1_000);
    await until(async () => (await hub.getChannel(brief.channel_id)).state === "expired");
    await hub.closeChannel(first);
    faults.failNext("commit");
    await expect(hub.closeChannel(second)).rejects.toThrow();
    await hub.closeChannel(second);
    const torn = await bench.open("conversation", a, [b]);
    faults.tearNext("written");
    await expect(hub.closeChannel(torn.channel_id)).rejects.toThrow();
    await until(async () => (await hub.getChannel(torn.channel_id)).state === "closed");
    await hub.closeChannel(third, "done", { drain: true });
    await bench.clock.advanceAsync(600_000);
    await until(async () => (await hub.getChannel(third)).state === "closed");
    for (const id of [remote, b, c, silent, refuser, a]) await hub.unregister(id);
    await until(async () => (await hub.getChannel(fourth)).state === "closed");
    for (const go of held) go();
    await settle();
    expect([...underWay]).toEqual([]);
    await hub.close();
    expect(underWay.size).toBe(0);
  });

  it("end with the far side's first attempt, though the ledger has dropped the envelope before", async () => {
    await using bench = await open(createMemoryStore(), { ledgerEnvelopes: 1 });
    const { hub, held } = bench;
    const [a, b] = [await bench.join("ada"), await bench.join("bob")];
    const remote = await bench.joinRemote("far");
    const { channel_id } = await bench.open("free", a, [b, remote]);
    const { envelope_id } = await bench.say(channel_id, a, "far", { audience: [remote] });
    await until(() => held.length === 1);
    for (let n = 0; n < 4; n += 1) await bench.say(channel_id, a, "near", { audience: [b] });
    expect(hub.ledger(channel_id, envelope_id)).toMatchObject([{ state: "sent" }]);
    expect(bench.textSpans()).toHaveLength(4);
    for (const go of held) go();
    await until(() => bench.textSpans().length === 5);
    const last = bench.textSpans().at(-1);
    expect(last?.attributes["ag2.network.envelope_id"]).toBe(envelope_id);
  });

  it("end when the hub closes while a far side keeps it waiting, and when its proxy is taken away", async () => {
    for (const end of ["close", "unregister"] as const) {
      await using bench = await open();
      const { hub, held } = bench;
      const [a, b] = [await bench.join("ada"), await bench.join("bob")];
      const remote = await bench.joinRemote("far");
      const { channel_id } = await bench.open("free", a, [b, remote]);
      await bench.say(channel_id, a, "far", { audience: [remote] });
      await bench.say(channel_id, a, "farther", { audience: [remote] });
      await until(() => held.length === 1);
      expect(bench.textSpans()).toHaveLength(0);
      if (end === "close") await hub.close();
      else expect(hub.unregisterRemoteProxy("a2a")).toBe(true);
      expect(bench.textSpans(), end).toHaveLength(2);
      await hub.close();
      bench.telemetry.endSpans();
      expect(bench.underWay.size).toBe(0);
    }
  });

  it("begin anew in a hub that is started again, and end there as others do", async () => {
    const store = createMemoryStore();
    const ids: string[] = [];
    {
      await using bench = await open(store);
      const [a, b] = [await bench.join("ada"), await bench.join("bob")];
      const open1 = await bench.open("conversation", a, [b]);
      const closed = await bench.open("conversation", a, [b]);
      await bench.hub.closeChannel(closed.channel_id);
      ids.push(a, b, open1.channel_id);
    }
    const [a = "", b = "", channelId = ""] = ids;
    await using bench = await open(store.reopen());
    const { hub, underWay, ended } = bench;
    expect(underWay.size).toBe(3);
    await bench.say(channelId, a, "again");
    await hub.closeChannel(channelId);
    await hub.unregister(a);
    await hub.unregister(b);
    expect(underWay.size).toBe(0);
    const typed = (type: string) =>
      ended.filter(({ attributes }) => attributes["ag2.span.type"] === type);
    const [channel] = typed("channel");
    expect(channel?.name).toBe("network.channel conversation");
    expect(channel?.attributes).toEqual({
      "ag2.span.type": "channel",
      "ag2.network.channel_id": channelId,
      "ag2.network.manifest_type": "conversation",
      "ag2.network.creator_id": a,
      "colloquy.resumed": true,
    });
    expect(channel?.events.map(({ name }) => name)).toEqual(["closed"]);
    const [text] = typed("envelope");
    expect(text?.links.map(({ context }) => context.spanId)).toEqual([
      channel?.spanContext().spanId,
    ]);
    expect(typed("agent_lifetime").map(({ name, attributes }) => [name, attributes])).toEqual([
      ["agent.lifetime ada", expect.objectContaining({ "colloquy.resumed": true })],
      ["agent.lifetime bob", expect.objectContaining({ "colloquy.resumed": true })],
    ]);
  });
});
