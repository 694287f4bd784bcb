import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, type HubLimits, type HubListener, openHub } from "@colloquy/hub";
import {
  type Clock,
  createIdSource,
  type HubConnection,
  type LinkPeer,
  type Logger,
  type Store,
  type StoredEnvelope,
} from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import { type FaultyStore, faulty } from "@colloquy/testkit";
import type { Dice } from "../dice.js";
import type { Chronicle } from "./chronicle.js";
import { createMortalClock, type MortalClock } from "./mortal-clock.js";

/** A hub process on a disk: it can be killed and started again. */
export interface HubHost {
  readonly state: "down" | "opening" | "running" | "closing";
  /** Counts the starts. */
  readonly life: number;
  /** The hub that runs; null when there is none. */
  readonly hub: Hub | null;
  /** Its store; null when there is none. */
  readonly store: FaultyStore | null;
  /** Ids of envelopes that the disk has. */
  readonly durable: ReadonlySet<string>;
  /** Takes a connection; throws when nobody listens. */
  accept(peer: LinkPeer): HubConnection;
  start(): void;
  /** The process dies now. */
  kill(): void;
  /** The process ends in good order; it may take a while. */
  end(how: "close" | "drain"): void;
  /** The disk, for readers beside the hub. Runs whether there is a hub or not. */
  withDisk<T>(read: (store: Store) => Promise<T>): Promise<T>;
  /** Rows above `after`. */
  readLog(after: number): Promise<readonly StoredEnvelope[]>;
}

/** Input of {@link createHubHost}. */
export interface HubHostOptions {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly chronicle: Chronicle;
  readonly logger: Logger;
  readonly limits: Partial<HubLimits>;
  readonly listener: HubListener;
  /** Comes between the hub and its disk. */
  readonly sabotage: Sabotage;
  /** The process is gone: its connections break. */
  onGone(): void;
}

/** Faults that no hub could survive, for proving that they are noticed. */
export interface Sabotage {
  store?(store: Store): Store;
  peer?(peer: LinkPeer): LinkPeer;
}

interface Process {
  readonly clock: MortalClock;
  readonly disk: MemoryStore;
  readonly store: FaultyStore;
  hub: Hub | null;
}

/** Makes a {@link HubHost} with an empty disk. */
export function createHubHost(options: HubHostOptions): HubHost {
  const { dice, chronicle, sabotage } = options;
  const disk = createMemoryDisk();
  const durable = new Set<string>();
  let state: HubHost["state"] = "down";
  let life = 0;
  let process: Process | null = null;

  const gone = (how: string): void => {
    if (process === null) return;
    const last = process;
    process = null;
    state = "down";
    last.disk.crash();
    last.clock.kill();
    chronicle.note(`hub ${how}`);
    options.onGone();
  };
  /** The store as the hub has it, which remembers what became durable. */
  const watched = (store: MemoryStore): Store => ({
    ...store,
    async commit(batch) {
      await store.commit(batch);
      for (const { envelope_id } of batch.envelopes) durable.add(envelope_id);
    },
  });
  const start = (): void => {
    if (process !== null) return;
    life += 1;
    const clock = createMortalClock(options.clock);
    const memory = createMemoryStore({ disk, clock });
    const inner = sabotage.store?.(watched(memory)) ?? watched(memory);
    const store = faulty(inner, {
      seed: dice.int(0x1_0000_0000),
      clock,
      onCrash: () => gone("crashed in its store"),
    });
    const mine: Process = { clock, disk: memory, store, hub: null };
    process = mine;
    state = "opening";
    const ids = dice.fork();
    openHub({
      store,
      clock,
      ids: createIdSource({ clock, random: () => ids.hex(16) }),
      adapters: createDefaultAdapters(),
      limits: options.limits,
      logger: options.logger,
      listeners: [options.listener],
    }).then(
      (hub) => {
        if (process !== mine) return;
        mine.hub = hub;
        state = "running";
        chronicle.note("hub runs", { life });
      },
      (error: unknown) => {
        if (process !== mine) return;
        chronicle.note("hub could not start", { error: String(error) });
        gone("gave up");
      },
    );
  };
  const withDisk: HubHost["withDisk"] = async (read) => {
    if (process !== null) return read(process.disk);
    const reader = createMemoryStore({ disk });
    try {
      return await read(reader);
    } finally {
      reader.crash();
    }
  };

  return {
    get state() {
      return state;
    },
    get life() {
      return life;
    },
    get hub() {
      return process?.hub ?? null;
    },
    get store() {
      return process?.store ?? null;
    },
    durable,
    accept(peer) {
      if (process === null || process.hub === null) throw new Error("nobody listens");
      return process.hub.accept(sabotage.peer?.(peer) ?? peer);
    },
    start,
    kill: () => gone("killed"),
    end(how) {
      const mine = process;
      if (mine === null || mine.hub === null || state !== "running") return;
      state = "closing";
      chronicle.note("hub ends", { how });
      mine.hub[how]().then(
        () => {
          if (process === mine) gone("ended");
        },
        (error: unknown) => {
          chronicle.note("hub could not end", { error: String(error) });
          if (process === mine) gone("ended badly");
        },
      );
    },
    withDisk,
    readLog: (after) => withDisk((store) => store.readLog(after)),
  };
}
