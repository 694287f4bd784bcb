import { createDefaultAdapters, roundRobinGraph } from "@colloquy/adapters";
import {
  type EnvelopeDraft,
  EV_CONTEXT_SET,
  EV_PACKET,
  EV_TEXT,
  isNetworkError,
  type StoredEnvelope,
} from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { HubOptions } from "../context/options.js";
import { assembleHub } from "../open-hub.js";
import { foldEnvelope } from "../wal/fold-envelope.js";
import { parseStored } from "../wal/parse-stored.js";
import { readPages } from "../wal/read-pages.js";
import { verifyChain } from "../wal/verify-chain.js";

const TYPES = ["conversation", "discussion", "consulting", "workflow"] as const;

/** One thing that somebody tries; many are refused. */
interface Step {
  readonly channel: number;
  readonly sender: number;
  readonly kind: string;
  readonly word: string;
  readonly key: string | null;
  readonly answers: boolean;
  readonly fault: string;
  /** Waits for the outcome before the next step. */
  readonly waits: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    channel: fc.nat(TYPES.length - 1),
    sender: fc.nat(1),
    kind: fc.constantFrom("text", "text", "text", "packet", "context", "note", "close"),
    word: fc.constantFrom("yes", "no", "", "maybe"),
    key: fc.option(fc.constantFrom("k1", "k2"), { freq: 3 }),
    answers: fc.boolean(),
    fault: fc.constantFrom("none", "none", "none", "none", "fail", "written", "lost"),
    waits: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40 },
);

async function openBench(memory: MemoryStore, options: Partial<HubOptions> = {}) {
  const store = faulty(memory);
  const { hub, context } = await assembleHub({
    store,
    clock: createFakeClock(),
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    ...options,
  });
  return { hub, context, store, memory, ...createHubBench(hub) };
}

/** A hub with one channel of each type between two agents. */
async function openRooms(options: Partial<HubOptions> = {}) {
  const bench = await openBench(createMemoryStore(), options);
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const rooms: string[] = [];
  for (const type of TYPES) {
    const knobs = type === "workflow" ? { graph: roundRobinGraph([a, b], 6) } : {};
    rooms.push((await bench.open(type, a, [b], { knobs })).channel_id);
  }
  return { ...bench, agents: [a, b], rooms };
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

function draftOf({ agents, rooms }: Rooms, step: Step, cause: string | null): EnvelopeDraft {
  const contents = {
    text: { event_type: EV_TEXT, event_data: { text: step.word } },
    packet: { event_type: EV_PACKET, event_data: { body: step.word } },
    context: { event_type: EV_CONTEXT_SET, event_data: { set: { [step.word]: step.sender } } },
  };
  const content = contents[step.kind as keyof typeof contents] ?? {
    event_type: "app.note",
    event_data: { word: step.word },
  };
  return {
    ...content,
    channel_id: rooms[step.channel] ?? "",
    sender_id: agents[step.sender] ?? "",
    idempotency_key: step.key,
    causation_id: step.answers ? cause : null,
  };
}

/** Runs the steps and returns the ids of the envelopes whose senders got a success. */
async function play(rooms: Rooms, all: readonly Step[], withFaults: boolean): Promise<string[]> {
  const acknowledged: string[] = [];
  const running: Promise<void>[] = [];
  let cause: string | null = null;
  for (const step of all) {
    if (withFaults && step.fault === "fail") rooms.store.failNext("commit");
    else if (withFaults && step.fault !== "none") {
      rooms.store.tearNext(step.fault === "written" ? "written" : "lost");
    }
    const work =
      step.kind === "close"
        ? rooms.hub.closeChannel(rooms.rooms[step.channel] ?? "", "done").then(() => undefined)
        : rooms.hub.post(draftOf(rooms, step, cause)).then(({ envelope_id }) => {
            acknowledged.push(envelope_id);
            cause = envelope_id;
          });
    const done = work.catch((error: unknown) => {
      if (!isNetworkError(error)) throw error;
    });
    running.push(done);
    if (step.waits) await done;
  }
  await Promise.all(running);
  rooms.store.heal();
  await settle();
  return acknowledged;
}

/** What a hub shows of a channel, read and folded anew from the WAL. */
async function replayed(memory: MemoryStore, channelId: string) {
  const metadata = await memory.readChannel(channelId);
  if (metadata === null) throw new Error("the channel is not stored");
  const adapter = createDefaultAdapters().find((x) => x.manifest.type === metadata.manifest.type);
  if (adapter === undefined) throw new Error("there is no adapter");
  let state = adapter.initialState(metadata);
  const wal: StoredEnvelope[] = [];
  for await (const page of readPages(memory, channelId)) wal.push(...page);
  for (const stored of wal) state = foldEnvelope(adapter, state, parseStored(stored));
  return { metadata, state, position: wal.length };
}

async function shown({ hub }: Pick<Rooms, "hub">, channelId: string) {
  const { state, position } = await hub.adapterState(channelId);
  return { metadata: await hub.getChannel(channelId), state, position };
}

it("F-086 the live state of every channel type is what a replay of its WAL gives, again and again", async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    const rooms = await openRooms({ limits: { snapshotEvery: 3 } });
    await play(rooms, all, false);
    for (const id of rooms.rooms) {
      const live = await shown(rooms, id);
      expect(await replayed(rooms.memory, id)).toEqual(live);
      expect(await replayed(rooms.memory, id)).toEqual(live);
    }
    await rooms.hub.close();
  });
  await fc.assert(property, { numRuns: 40 });
});

it("snapshot and tail give what a full replay gives, after a close and after a kill", async () => {
  const property = fc.asyncProperty(
    steps,
    fc.integer({ min: 1, max: 8 }),
    fc.boolean(),
    async (all, snapshotEvery, isKilled) => {
      const rooms = await openRooms({ limits: { snapshotEvery } });
      await play(rooms, all, false);
      const before = await Promise.all(rooms.rooms.map((id) => shown(rooms, id)));
      if (isKilled) rooms.memory.crash();
      else await rooms.hub.close();
      const next = await openBench(rooms.memory.reopen());
      expect(next.hub.health().quarantined_channels).toEqual({});
      const after = await Promise.all(rooms.rooms.map((id) => shown(next, id)));
      expect(after).toEqual(before);
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

it("however commits fail, memory is what the store has, and what was acknowledged is there once", async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    const rooms = await openRooms({ limits: { snapshotEvery: 4 } });
    const acknowledged = await play(rooms, all, true);
    for (const id of rooms.rooms) {
      expect(await shown(rooms, id)).toEqual(await replayed(rooms.memory, id));
      await rooms.hub.closeChannel(id);
    }
    const log = await rooms.memory.readLog(0);
    const ids = log.map(({ envelope_id }) => envelope_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(log.map(({ row }) => row)).toEqual(log.map((_, index) => index + 1));
    const faults: unknown[] = [];
    for await (const finding of verifyChain(log)) faults.push(finding);
    expect(faults).toEqual([]);
    expect(rooms.context.committer.staged).toBe(0);
  });
  await fc.assert(property, { numRuns: 60 });
});
