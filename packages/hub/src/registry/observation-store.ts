import { type RecordKind, type RecordWrite, type Store, StoreError } from "@colloquy/protocol";
import { EMPTY_SKETCH, type LatencySketch } from "./latency-sketch.js";

/** What the records of observations are read from. */
export type ObservationReads = Pick<Store, "readRecord" | "listRecords">;

/** How many tasks of an agent have been counted, and from which on they are remembered. */
interface Tally {
  readonly next: number;
  readonly first: number;
}

/** Records read at a time. */
const PAGE = 1_000;
/** Old tasks forgotten with each new one, so that a smaller limit takes hold step by step. */
const FORGOTTEN_AT_ONCE = 2;

/** The latencies of one capability of an agent; empty when none is stored. */
export async function readSketch(
  store: ObservationReads,
  agentId: string,
  capability: string,
): Promise<LatencySketch> {
  return parseSketch(await store.readRecord("track", sketchId(agentId, capability)));
}

/** All latencies of an agent, by capability. */
export async function readSketches(
  store: ObservationReads,
  agentId: string,
): Promise<ReadonlyMap<string, LatencySketch>> {
  const prefix = sketchId(agentId, "");
  const sketches = new Map<string, LatencySketch>();
  for await (const { id, value } of eachWith(store, "track", prefix)) {
    sketches.set(id.slice(prefix.length), parseSketch(value));
  }
  return sketches;
}

/** Writes the latencies of one capability. */
export function writeSketch(
  agentId: string,
  capability: string,
  sketch: LatencySketch,
): RecordWrite {
  return { kind: "track", id: sketchId(agentId, capability), value: JSON.stringify(sketch) };
}

/**
 * The writes that remember a task of an agent as counted, and forget those beyond the newest so many;
 * null when it is remembered already.
 */
export async function countTask(
  store: ObservationReads,
  agentId: string,
  taskId: string,
  remembered: number,
): Promise<RecordWrite[] | null> {
  if ((await store.readRecord("counted", taskKey(agentId, taskId))) !== null) return null;
  const tally = parseTally(await store.readRecord("track", agentId));
  const next = tally.next + 1;
  let { first } = tally;
  const writes: RecordWrite[] = [
    { kind: "counted", id: taskKey(agentId, taskId), value: String(tally.next) },
    { kind: "counted", id: placeKey(agentId, tally.next), value: JSON.stringify(taskId) },
  ];
  for (let n = 0; n < FORGOTTEN_AT_ONCE && next - first > remembered; n += 1, first += 1) {
    const place = placeKey(agentId, first);
    const oldest = await store.readRecord("counted", place);
    writes.push({ kind: "counted", id: place, value: null });
    if (oldest === null) continue;
    const id = taskKey(agentId, String(JSON.parse(oldest)));
    writes.push({ kind: "counted", id, value: null });
  }
  const value = JSON.stringify({ next, first } satisfies Tally);
  return [...writes, { kind: "track", id: agentId, value }];
}

/** The writes that take away everything of an agent. */
export async function forgetObservations(
  store: ObservationReads,
  agentId: string,
): Promise<RecordWrite[]> {
  const prefixes = [
    ["track", sketchId(agentId, "")],
    ["counted", taskKey(agentId, "")],
    ["counted", `q ${agentId} `],
  ] as const;
  const writes: RecordWrite[] = [];
  for (const [kind, prefix] of prefixes) {
    for await (const { id } of eachWith(store, kind, prefix))
      writes.push({ kind, id, value: null });
  }
  if ((await store.readRecord("track", agentId)) !== null) {
    writes.push({ kind: "track", id: agentId, value: null });
  }
  return writes;
}

async function* eachWith(store: ObservationReads, kind: RecordKind, prefix: string) {
  let after = prefix;
  for (;;) {
    const page = await store.listRecords(kind, after, PAGE);
    for (const record of page) {
      if (!record.id.startsWith(prefix)) return;
      yield record;
      after = record.id;
    }
    if (page.length < PAGE) return;
  }
}

function sketchId(agentId: string, capability: string): string {
  return `${agentId} ${capability}`;
}

function taskKey(agentId: string, taskId: string): string {
  return `t ${agentId} ${taskId}`;
}

function placeKey(agentId: string, place: number): string {
  return `q ${agentId} ${String(place).padStart(12, "0")}`;
}

function parseSketch(text: string | null): LatencySketch {
  return text === null ? EMPTY_SKETCH : (parse(text) as LatencySketch);
}

function parseTally(text: string | null): Tally {
  return text === null ? { next: 0, first: 0 } : (parse(text) as Tally);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoreError("a record of what was observed cannot be read", { cause });
  }
}
