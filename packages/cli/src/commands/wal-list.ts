import {
  type ChannelMetadata,
  type ChannelState,
  channelStateSchema,
  participantOrder,
  type Store,
} from "@colloquy/protocol";
import { type Command, InvalidArgumentError } from "commander";
import { type AgentDirectory, findAgent, readAgents } from "../data/agent-directory.js";
import { everIn } from "../data/ever-in.js";
import { eachChannel } from "../data/read-pages.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import { formatCount, formatInstant } from "../output/format-values.js";
import { type Column, renderTable } from "../output/render-table.js";
import { readBody } from "../wal/read-body.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

interface ListOptions extends ReadingOptions {
  readonly state?: ChannelState[] | undefined;
  readonly agent?: string | undefined;
}

const STATES = channelStateSchema.options.join(", ");

/** One line of the list. */
interface ListedChannel {
  readonly channel_id: string;
  readonly type: string;
  readonly state: string;
  readonly close_reason: string;
  readonly participants: readonly { readonly agent_id: string; readonly name: string }[];
  readonly envelopes: number;
  readonly opened_at: string;
  /** When the newest envelope was admitted; empty when there is none. */
  readonly last_at: string;
}

const COLUMNS: readonly Column[] = [
  { title: "CHANNEL" },
  { title: "TYPE" },
  { title: "STATE" },
  { title: "ENVELOPES", align: "right" },
  { title: "OPENED" },
  { title: "LAST" },
  { title: "PARTICIPANTS" },
];

/** Adds `colloquy wal list`. */
export function addWalListCommand(wal: Command, host: Host): void {
  addReadingOptions(wal.command("list").description("List the channels of a data file."))
    .option("--state <state>", `only channels that are ${STATES}; may be repeated`, gatherState)
    .option("--agent <agent>", "only channels in which this agent takes part")
    .action((options: ListOptions) =>
      read(host, options, async ({ store, output }) => {
        const agents = await readAgents(store);
        const channels = await listChannels(store, agents, options);
        if (output.json) {
          for (const channel of channels) await output.value(channel);
        } else if (channels.length === 0) {
          await output.remark("no channels");
        } else {
          await output.lines(...renderTable(COLUMNS, channels.map(rowOf), output.columns));
        }
        return EXIT.ok;
      }),
    );
}

function gatherState(text: string, before: readonly ChannelState[] | undefined): ChannelState[] {
  const state = channelStateSchema.safeParse(text);
  if (!state.success) throw new InvalidArgumentError(`Give one of ${STATES}.`);
  return [...(before ?? []), state.data];
}

async function listChannels(
  store: Store,
  agents: AgentDirectory,
  { state, agent }: ListOptions,
): Promise<ListedChannel[]> {
  const listed: ListedChannel[] = [];
  const agentId = agent === undefined ? null : await agentOf(store, agents, agent);
  for await (const channel of eachChannel(store, {
    ...(agentId === null ? {} : { agent_id: agentId }),
    ...(state === undefined ? {} : { states: state }),
  })) {
    listed.push(await describeChannel(store, agents, channel));
  }
  return listed;
}

/** Members that have left the registry can still be asked for by their id. */
async function agentOf(store: Store, agents: AgentDirectory, text: string): Promise<string> {
  const members = new Set<string>();
  for await (const channel of eachChannel(store)) {
    for (const id of everIn(channel)) members.add(id);
  }
  return findAgent(agents, text, [...members]);
}

async function describeChannel(
  store: Store,
  agents: AgentDirectory,
  channel: ChannelMetadata,
): Promise<ListedChannel> {
  const { envelopes, head } = await store.readWal(channel.channel_id, { last: 1 });
  const newest = envelopes.at(-1);
  return {
    channel_id: channel.channel_id,
    type: channel.manifest.type,
    state: channel.state,
    close_reason: channel.close_reason,
    participants: participantOrder(channel).map((agent_id) => ({
      agent_id,
      name: agents.nameOf(agent_id),
    })),
    envelopes: head,
    opened_at: channel.created_at,
    last_at: newest === undefined ? "" : (readBody(newest)?.created_at ?? ""),
  };
}

function rowOf(channel: ListedChannel): string[] {
  const reason = channel.close_reason === "" ? "" : ` (${channel.close_reason})`;
  return [
    escapeText(channel.channel_id),
    escapeText(channel.type),
    escapeText(channel.state + reason),
    formatCount(channel.envelopes),
    formatInstant(channel.opened_at),
    formatInstant(channel.last_at),
    channel.participants.map(({ name }) => escapeText(name)).join(", "),
  ];
}
