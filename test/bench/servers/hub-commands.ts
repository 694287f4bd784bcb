import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, type HubLimits, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import type { CirclePlan } from "../load/circle.js";
import type { LanePlan } from "../load/lane-plan.js";
import { type IdleChannelsWanted, openIdleChannels } from "./idle-channels.js";
import { type LanesWanted, openDiscussion, openLanes } from "./open-channels.js";
import { registerAgents } from "./register.js";

/** Where a hub keeps what is durable, and which of its bounds differ from the defaults. */
export interface HubWanted {
  readonly path: string;
  readonly limits?: Partial<HubLimits>;
}

/** Commands on the one hub of a server process. */
export function createHubCommands() {
  let hub: Hub | null = null;
  const open = (): Hub => {
    if (hub === null) throw new Error("open a hub first");
    return hub;
  };
  return {
    /** Opens a hub on a SQLite file with its defaults and listens; gives its address. */
    async openHub({ path, limits }: HubWanted): Promise<string> {
      const store = await openSqliteStore({ path });
      hub = await openHub({ store, adapters: createDefaultAdapters(), limits });
      const server = await serveWebSocket(hub, { host: "127.0.0.1", port: 0 });
      return server.url;
    },
    openLanes: (wanted: LanesWanted): Promise<LanePlan[]> => openLanes(open(), wanted),
    openDiscussion: (size: number): Promise<Omit<CirclePlan, "url">> =>
      openDiscussion(open(), size),
    /** Registers agents that take part in nothing; gives their names. */
    async registerIdle(count: number): Promise<string[]> {
      return (await registerAgents(open(), "idle", count)).map(({ name }) => name);
    },
    openIdleChannels: (wanted: IdleChannelsWanted): Promise<void> =>
      openIdleChannels(open(), wanted),
  };
}
