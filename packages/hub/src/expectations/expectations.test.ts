import { createConsultingAdapter, createConversationAdapter } from "@colloquy/adapters";
import { EV_EXPECTATION_VIOLATED, type Expectation, ProtocolError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakeIds,
  createHubBench,
  createRecordingLogger,
  until,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { openHub } from "../open-hub.js";

interface Heard {
  readonly name: string;
  readonly violators: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

async function openBench(options: Partial<HubOptions> = {}) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const hub = await openHub({
    store: createMemoryStore(),
    clock,
    logger,
    ids: createFakeIds(),
    adapters: [createConsultingAdapter(), createConversationAdapter()],
    ...options,
  });
  const heard: Heard[] = [];
  hub.addListener({
    onExpectationFired: (_id, { name }, violators, detail) =>
      void heard.push({ name, violators, detail }),
  });
  const audited = async (kind = "expectation_violated") =>
    (await hub.audit.readAll()).filter((record) => record.kind === kind);
  /** Seconds pass, and everything that falls due meanwhile is done. */
  const pass = (seconds: number) => clock.advanceAsync(seconds * 1_000);
  return { hub, clock, logger, heard, audited, pass, ...createHubBench(hub) };
}

const expecting = (name: string, on_violation: string, seconds: number): Expectation => ({
  ...{ name, on_violation, params: { seconds }, applies_to: null },
});

/** A conversation between a and b of which this is expected. */
async function openTalk(expectations: readonly Expectation[], options: Partial<HubOptions> = {}) {
  const adapters = [createConversationAdapter({ expectations })];
  const bench = await openBench({ adapters, ...options });
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const { channel_id: id } = await bench.open("conversation", a, [b], { ttl: 0 });
  return { ...bench, a, b, id };
}

/** A conversation that b has not accepted yet. */
async function invite(expectations: readonly Expectation[], options: Partial<HubOptions> = {}) {
  const adapters = [createConversationAdapter({ expectations })];
  const limits = { inviteAckTimeoutMs: 300_000 };
  const bench = await openBench({ adapters, limits, ...options });
  const [a, b] = [await bench.join("a"), await bench.join("b", { invites: "silent" })];
  const opening = bench.open("conversation", a, [b]);
  opening.catch(() => undefined);
  await until(async () => (await bench.hub.listChannels()).length === 1);
  return { ...bench, a, b, opening };
}

describe("acks_within", () => {
  it("N-144 names the invitees who have not answered, and the threshold", async () => {
    const { hub, clock, b, heard } = await invite([expecting("acks_within", "audit", 30)]);
    clock.set(clock.now() + 60_000);
    expect(await hub.expectationTick()).toBe(1);
    expect(heard).toEqual([
      {
        name: "acks_within",
        violators: [b],
        detail: { elapsed_seconds: 60, threshold_seconds: 30 },
      },
    ]);
  });

  it("N-145 says nothing about a channel that is active", async () => {
    const { hub, pass, heard } = await openTalk([expecting("acks_within", "audit", 30)]);
    await pass(600);
    expect(await hub.expectationTick()).toBe(0);
    expect(heard).toEqual([]);
  });

  it("N-152 is violated at exactly its seconds, and not before", async () => {
    const { pass, b, heard } = await invite([expecting("acks_within", "audit", 30)]);
    await pass(29.999);
    expect(heard).toEqual([]);
    await pass(0.001);
    expect(heard).toMatchObject([{ violators: [b], detail: { elapsed_seconds: 30 } }]);
  });

  it("N-149 ends the opening of a consulting channel, whose default it is", async () => {
    const limits = { inviteAckTimeoutMs: 300_000 };
    const { hub, pass, audited, ...bench } = await openBench({ limits });
    const [a, b] = [await bench.join("a"), await bench.join("b", { invites: "silent" })];
    const opening = bench.open("consulting", a, [b]);
    const failed = expect(opening).rejects.toThrow(/expectation_violated:acks_within/);
    await until(async () => (await hub.listChannels()).length === 1);
    await pass(45);
    await hub.expectationTick();
    await failed;
    await expect(opening).rejects.toThrow(ProtocolError);
    const [channel] = await hub.listChannels();
    expect(channel?.state).toBe("closed");
    expect(channel?.close_reason).toBe("expectation_violated:acks_within");
    expect(await audited()).toMatchObject([{ expectation: "acks_within", violators: [b] }]);
  });

  it("N-155 fires each of two entries of one name once, by itself", async () => {
    const called: string[] = [];
    const handlers = ["w", "x"].map((name) => ({ name, handle: () => void called.push(name) }));
    const entries = [expecting("acks_within", "w", 30), expecting("acks_within", "x", 60)];
    const { hub, clock } = await invite(entries, { violationHandlers: handlers });
    const start = clock.now();
    clock.set(start + 35_000);
    await hub.expectationTick();
    expect(called).toEqual(["w"]);
    clock.set(start + 65_000);
    await hub.expectationTick();
    expect(called).toEqual(["w", "x"]);
    clock.set(start + 200_000);
    await hub.expectationTick();
    expect(called).toEqual(["w", "x"]);
  });
});

describe("reply_within", () => {
  it("N-146 names whoever was spoken to and has said nothing", async () => {
    const { hub, clock, a, b, id, say, heard } = await openTalk([
      expecting("reply_within", "audit", 60),
    ]);
    await say(id, a, "well?", { audience: [b] });
    clock.set(clock.now() + 120_000);
    await hub.expectationTick();
    expect(heard).toMatchObject([{ violators: [b], detail: { threshold_seconds: 60 } }]);
  });

  it("N-147 names only whose newest word to them is unanswered", async () => {
    const { pass, a, b, id, say, heard } = await openTalk([expecting("reply_within", "audit", 60)]);
    await say(id, a, "well?");
    await pass(30);
    await say(id, b, "well what?");
    await pass(570);
    expect(heard).toMatchObject([{ violators: [a] }]);
  });

  it("N-153 is violated at exactly its seconds, and not before", async () => {
    const { pass, a, b, id, say, heard } = await openTalk([expecting("reply_within", "audit", 60)]);
    await say(id, a, "well?");
    await pass(59.999);
    expect(heard).toEqual([]);
    await pass(0.001);
    expect(heard).toMatchObject([{ violators: [b] }]);
  });
});

describe("max_silence", () => {
  it("N-148 is nobody's fault in particular", async () => {
    const { hub, clock, a, id, say, pass, heard } = await openTalk([
      expecting("max_silence", "audit", 60),
    ]);
    const start = clock.now();
    await pass(30);
    await say(id, a, "hm");
    clock.set(start + 120_000);
    await hub.expectationTick();
    expect(heard).toEqual([
      {
        ...{ name: "max_silence", violators: [] },
        detail: { elapsed_seconds: 90, threshold_seconds: 60 },
      },
    ]);
  });

  it("N-150 leaves one audit record and nothing in the WAL of a conversation, whose default it is", async () => {
    const { hub, pass, audited, events, ...bench } = await openBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b]);
    await pass(3_700);
    await hub.expectationTick();
    expect((await hub.getChannel(id)).state).toBe("active");
    expect(await events(id)).not.toContain(EV_EXPECTATION_VIOLATED);
    expect(await audited()).toMatchObject([
      {
        ...{ expectation: "max_silence", channel_id: id, violators: [], on_violation: "audit" },
        detail: { elapsed_seconds: 3_600, threshold_seconds: 3_600 },
      },
    ]);
  });

  it("N-151 posts one notice to the channel with notify_channel", async () => {
    const { hub, pass, a, b, id } = await openTalk([
      expecting("max_silence", "notify_channel", 60),
    ]);
    await pass(120);
    await hub.expectationTick();
    const notices = (await hub.readWal(id)).filter(
      ({ event_type }) => event_type === EV_EXPECTATION_VIOLATED,
    );
    expect(notices).toMatchObject([
      { event_data: { expectation: "max_silence", violators: [] }, audience: [a, b] },
    ]);
    expect((await hub.getChannel(id)).state).toBe("active");
  });

  it("N-157 fires by itself on the machine's clock, with nobody to tick", async () => {
    const expectations = [expecting("max_silence", "audit", 0)];
    const adapters = [createConversationAdapter({ expectations })];
    const hub = await openHub({ store: createMemoryStore(), adapters });
    const bench = createHubBench(hub);
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id } = await bench.open("conversation", a, [b]);
    const records = await until(async () => {
      const found = (await hub.audit.readAll()).filter(
        ({ kind }) => kind === "expectation_violated",
      );
      return found.length > 0 ? found : null;
    });
    expect(records).toMatchObject([{ expectation: "max_silence", channel_id }]);
    await hub.close();
  });
});

describe("a handler", () => {
  it("N-154 that throws was called once: the violation counts as fired, and the engine goes on", async () => {
    let calls = 0;
    const broken = {
      name: "broken",
      handle() {
        calls += 1;
        throw new Error("no such webhook");
      },
    };
    const entries = [expecting("max_silence", "broken", 60), expecting("max_silence", "audit", 60)];
    const bench = await openTalk(entries, { violationHandlers: [broken] });
    bench.clock.set(bench.clock.now() + 61_000);
    await expect(bench.hub.expectationTick()).resolves.toBe(2);
    await expect(bench.hub.expectationTick()).resolves.toBe(0);
    expect(calls).toBe(1);
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "a violation handler has failed" }),
    );
  });
});

// Departure of design section 8 ("no silent skip" for what is only declared): AG2 skips an unknown name.
describe("what nothing stands behind", () => {
  const unknown = expecting("max_mirth", "audit", 1);

  it("N-156 F-011 is refused when its channel type is registered, by name", async () => {
    const { hub } = await openBench();
    const evaluator = createConversationAdapter({ expectations: [unknown] });
    expect(() => hub.registerAdapter(evaluator)).toThrow(ProtocolError);
    expect(() => hub.registerAdapter(evaluator)).toThrow(
      /'conversation'.*no evaluator 'max_mirth'.*max_silence/,
    );
    const handler = createConversationAdapter({
      expectations: [expecting("max_silence", "sing", 1)],
    });
    expect(() => hub.registerAdapter(handler)).toThrow(
      /no handler 'sing' is registered; there are audit/,
    );
    await expect(openBench({ adapters: [handler] })).rejects.toThrow(/'sing'/);
  });

  it("F-011 is refused when a channel with such a knob is opened, and leaves no trace", async () => {
    const { hub, open, join } = await openBench();
    const [a, b] = [await join("a"), await join("b")];
    const opening = (expectations: unknown) =>
      open("conversation", a, [b], { knobs: { expectations } });
    await expect(opening([unknown])).rejects.toThrow(/knob expectations.*'max_mirth'/);
    const unheard = [{ name: "max_silence", on_violation: "sing" }];
    await expect(opening(unheard)).rejects.toThrow(/no handler 'sing'/);
    const nobody = [{ name: "max_silence", applies_to: ["bert"] }];
    await expect(opening(nobody)).rejects.toThrow(/applies to 'bert', which is no role/);
    const timeless = [{ name: "max_silence", params: { seconds: -1 } }];
    await expect(opening(timeless)).rejects.toThrow(/params.seconds is -1; give a number/);
    expect(await hub.listChannels()).toEqual([]);
  });

  it("F-011 keeps a stored channel whose expectation is not registered any more, and says so", async () => {
    const store = createMemoryStore();
    const evaluator = { name: "max_mirth", needs: () => [], conditions: () => [] };
    const first = await openBench({ store, expectationEvaluators: [evaluator] });
    const [a, b] = [await first.join("a"), await first.join("b")];
    const knobs = { expectations: [{ name: "max_mirth", on_violation: "audit" }] };
    const { channel_id: id } = await first.open("conversation", a, [b], { knobs, ttl: 0 });
    await first.hub.close();
    const second = await openBench({ store: store.reopen() });
    expect(second.hub.health().unwatched_expectations[id]).toMatch(/no evaluator 'max_mirth'/);
    expect(JSON.stringify(second.logger.lines)).toContain("max_mirth");
    expect(await second.audited("expectation_unwatched")).toMatchObject([{ channel_id: id }]);
    await second.say(id, a, "still here");
    await second.pass(3_600);
    expect(second.heard).toMatchObject([{ name: "max_silence" }]);
    await second.hub.closeChannel(id);
    expect(second.hub.health().unwatched_expectations).toEqual({});
  });
});
