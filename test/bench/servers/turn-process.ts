import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, openHub } from "@colloquy/hub";
import type { ViewPolicy } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createWindowedSummary } from "@colloquy/views";
import type { TurnChannel } from "../data/fill-turns.js";
import { serveCommands } from "../processes/serve-commands.js";

/** How often a turn is prepared, and how much history it wants. */
export interface TurnOptions extends TurnChannel {
  readonly times: number;
  readonly last: number;
}

let hub: Hub | null = null;

const commands = {
  async open(path: string): Promise<void> {
    const store = await openSqliteStore({ path });
    hub = await openHub({ store, adapters: createDefaultAdapters() });
  },
  /** Prepares the same turn again and again; gives microseconds each. */
  async prepare({ times, last, ...place }: TurnOptions): Promise<number> {
    if (hub === null) throw new Error("open a hub first");
    const view = createWindowedSummary({ recent_n: last });
    const { envelopes } = await hub.readPage(place.channelId, { last: 1 });
    const trigger = envelopes[0]?.envelope_id ?? "";
    const began = performance.now();
    for (let time = 0; time < times; time += 1) await prepareOnce(hub, view, { ...place, trigger });
    return ((performance.now() - began) * 1000) / times;
  },
};

interface Turn extends TurnChannel {
  readonly trigger: string;
}

/** As a client does it: one request for everything, then the view over the slice. */
async function prepareOnce(
  hub: Hub,
  view: ViewPolicy,
  { channelId, agentId, trigger }: Turn,
): Promise<void> {
  const last = view.needs === "all" ? null : view.needs.last;
  const input = { channel_id: channelId, agent_id: agentId, envelope_id: trigger, last };
  const { metadata, slice, names } = await hub.prepareTurn(input);
  const adapter = await hub.adapterFor(channelId);
  const messages = view.project(slice, {
    participantId: agentId,
    channel: metadata,
    render: (envelope) => adapter.renderEnvelope(envelope),
    nameFor: (id) => names[id] ?? id,
  });
  if (messages.length < 2) throw new Error(`the view gave ${messages.length} messages`);
}

/** What a process that prepares turns can be asked to do. */
export type TurnCommands = typeof commands;

serveCommands(commands);
