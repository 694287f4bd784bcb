import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, openHub } from "@colloquy/hub";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { serveCommands } from "../processes/serve-commands.js";

/** What one start took. */
export interface StartRun {
  /** From opening the file until the hub takes connections. */
  readonly seconds: number;
  /** Of those, until the store was open. */
  readonly storeSeconds: number;
  readonly residentBytes: number;
  readonly openChannels: number;
}

let hub: Hub | null = null;

const commands = {
  async start(path: string): Promise<StartRun> {
    const began = performance.now();
    const store = await openSqliteStore({ path });
    const storeOpen = performance.now();
    hub = await openHub({ store, adapters: createDefaultAdapters() });
    const ended = performance.now();
    const { active_channels, quarantined_channels } = hub.health();
    const [reason] = Object.values(quarantined_channels);
    if (reason !== undefined) throw new Error(`a channel is quarantined: ${reason}`);
    return {
      seconds: (ended - began) / 1000,
      storeSeconds: (storeOpen - began) / 1000,
      residentBytes: process.memoryUsage.rss(),
      openChannels: active_channels,
    };
  },
  /** Ends in good order, so that the next start finds snapshots of everything. */
  async close(): Promise<void> {
    await hub?.close();
  },
};

/** What a process that starts a hub can be asked to do. */
export type StartCommands = typeof commands;

serveCommands(commands);
