import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createDefaultAdapters } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { EMPTY_BATCH } from "@colloquy/protocol";
import { openSqliteStore, type SqliteStore } from "@colloquy/storage-sqlite";
import { registerAgents } from "../servers/register.js";
import { conversation, lastLine, line, type Pair } from "./conversation.js";
import { createLogWriter, type LogWriter } from "./log-writer.js";

/** How big a filled store is. */
export interface StartSize {
  readonly envelopes: number;
  readonly channels: number;
  /** Channels that are not closed; the newest ones. */
  readonly open: number;
}

/** Counts up when what is filled in changes, so that an older file is not taken for it. */
const VERSION = 1;
/** Agents among whom the channels are spread. */
const AGENTS = 100;
/** Channels that were talked in at the same time. */
const WAVE = 1_000;
/** Envelopes per open channel that no snapshot covers: 0 up to this, by turns. */
const LONGEST_TAIL = 99;

/**
 * The file of a store as a killed hub leaves it: its open channels have a snapshot and a tail of
 * envelopes behind it. Filled once, then found again.
 */
export async function fillStart(
  folder: string,
  size: StartSize,
  progress: (text: string) => void,
): Promise<string> {
  const { envelopes, channels, open } = size;
  const path = join(folder, `start-v${VERSION}-${envelopes}-${channels}-${open}.db`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const half = `${path}.filling`;
  for (const ending of ["", "-wal", "-shm", "-lock"]) rmSync(`${half}${ending}`, { force: true });
  progress(`filling a store with ${envelopes} envelopes, once`);
  const openIds = await fillHistory(half, size);
  await snapshotAll(half);
  await fillTails(half, openIds);
  renameSync(half, path);
  rmSync(`${half}-lock`, { force: true });
  return path;
}

const pairAt = (agentIds: readonly string[], index: number): Pair => [
  agentIds[index % AGENTS] ?? "",
  agentIds[(index + 1) % AGENTS] ?? "",
];

/** Waves of channels that were talked in side by side; returns the open ones with their pairs. */
async function fillHistory(path: string, size: StartSize): Promise<ReadonlyMap<string, Pair>> {
  const agentIds = await registerAll(path);
  const store = await openSqliteStore({ path, durability: "os" });
  const writer = await createLogWriter(store);
  const length = Math.floor((size.envelopes - (size.open * LONGEST_TAIL) / 2) / size.channels);
  const opened = new Map<string, Pair>();
  for (let first = 0; first < size.channels; first += WAVE) {
    const wave = new Map<string, Pair>();
    for (let index = first; index < Math.min(first + WAVE, size.channels); index += 1) {
      const id = writer.ids.next();
      wave.set(id, pairAt(agentIds, index));
      if (index >= size.channels - size.open) opened.set(id, pairAt(agentIds, index));
    }
    await fillWave(writer, wave, { length, isOpen: (id) => opened.has(id) });
  }
  await writer.flush();
  await writeDeliveries(store, writer, opened);
  await store.close();
  return opened;
}

async function fillWave(
  writer: LogWriter,
  wave: ReadonlyMap<string, Pair>,
  { length, isOpen }: { readonly length: number; isOpen(channelId: string): boolean },
): Promise<void> {
  for (const [id, pair] of wave) {
    writer.writeChannel(conversation(id, pair, isOpen(id) ? "active" : "closed"));
  }
  for (let position = 1; position <= length; position += 1) {
    for (const [id, pair] of wave) {
      const isLast = position === length && !isOpen(id);
      await writer.append(isLast ? lastLine(id, pair) : line(id, pair, position));
    }
  }
}

async function registerAll(path: string): Promise<string[]> {
  const hub = await openHub({ store: await openSqliteStore({ path }) });
  const agents = await registerAgents(hub, "agent", AGENTS);
  await hub.close();
  return agents.map(({ id }) => id);
}

/** Everybody has acknowledged everything. */
async function writeDeliveries(
  store: SqliteStore,
  writer: LogWriter,
  open: ReadonlyMap<string, Pair>,
): Promise<void> {
  const deliveries = [...open].flatMap(([channel_id, pair]) =>
    pair.map((agent_id) => ({
      agent_id,
      channel_id,
      cursor: "",
      floor: writer.headOf(channel_id).position,
      above: [],
      settled: false,
    })),
  );
  await store.commit({ ...EMPTY_BATCH, lazy: { ...EMPTY_BATCH.lazy, deliveries } });
}

/** A hub writes the snapshots of all its channels when it closes. */
async function snapshotAll(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const hub = await openHub({ store, adapters: createDefaultAdapters() });
  await hub.close();
}

async function fillTails(path: string, open: ReadonlyMap<string, Pair>): Promise<void> {
  const store = await openSqliteStore({ path, durability: "os" });
  const writer = await createLogWriter(store);
  const pairs = [...open];
  for (let round = 0; round < LONGEST_TAIL; round += 1) {
    for (const [index, [id, pair]] of pairs.entries()) {
      if (index % (LONGEST_TAIL + 1) <= round) continue;
      await writer.append(line(id, pair, writer.headOf(id).position + 1));
    }
  }
  await writer.flush();
  await writeDeliveries(store, writer, open);
  await store.close();
}
