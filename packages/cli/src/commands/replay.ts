import {
  type ChannelAdapter,
  type ChannelMetadata,
  isNetworkError,
  isTerminalState,
  parseJson,
  participantOrder,
  type ViewPolicy,
  type ViewSpec,
} from "@colloquy/protocol";
import { createDefaultViewRegistry } from "@colloquy/views";
import type { Command } from "commander";
import { createChannelTypes } from "../channels/channel-types.js";
import { type AgentDirectory, findAgent, readAgents } from "../data/agent-directory.js";
import { findChannel } from "../data/find-channel.js";
import { CliError, EXIT, usageError } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import type { Output } from "../output/output.js";
import { foldTo } from "../replay/fold-to.js";
import { projectTurn } from "../replay/project-turn.js";
import { showReplay } from "../replay/show-replay.js";
import { parseCount } from "./parse-options.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

interface ReplayOptions extends ReadingOptions {
  readonly at?: number | undefined;
  readonly view?: string | undefined;
  readonly viewArgs?: string | undefined;
  readonly as?: string | undefined;
}

/** Adds `colloquy replay <channel>`. */
export function addReplayCommand(program: Command, host: Host): void {
  addReadingOptions(
    program
      .command("replay")
      .description(
        "Fold the WAL of a channel again and show its state, or what a model would get.",
      ),
  )
    .argument("<channel>", "id of the channel, or a unique beginning or end of it")
    .option("--at <position>", "fold up to this position; default: all", parseCount)
    .option("--as <agent>", "show the messages that this participant's model would get")
    .option("--view <name>", "the view to show them through; default: that of the channel")
    .option("--view-args <json>", "arguments of the view, as a JSON object")
    .action((text: string, options: ReplayOptions) =>
      read(host, options, async ({ store, output }) => {
        const channel = await findChannel(store, text);
        const adapter = adapterOf(channel);
        const agents = await readAgents(store);
        const { position: head } = await store.readHead(channel.channel_id);
        const upTo = Math.min(options.at ?? head, head);
        await remarkOnEnd(output, options.at, head);
        const replayed = await foldTo({ store, channel, adapter, upTo });
        const turn = chooseTurn(replayed.channel, adapter, agents, options);
        // A state may still name a next speaker when a cap or a person has ended the channel.
        const isOver = isTerminalState(channel.state) && replayed.position === head;
        const projected =
          turn === null
            ? null
            : projectTurn({
                ...turn,
                channel: replayed.channel,
                adapter,
                envelopes: replayed.envelopes,
                nameFor: agents.fullNameOf,
              });
        await showReplay(output, {
          channel,
          head,
          replayed,
          next: isOver ? null : adapter.expectedNext(replayed.channel, replayed.state),
          agents,
          turn: turn === null || projected === null ? null : { ...turn, ...projected },
        });
        return replayed.snapshot?.matches === false ? EXIT.failure : EXIT.ok;
      }),
    );
}

function adapterOf(channel: ChannelMetadata): ChannelAdapter {
  const adapter = createChannelTypes().of(channel);
  if (adapter !== null) return adapter;
  const { type, version } = channel.manifest;
  throw new CliError(
    `the channel's type ${escapeText(type)} version ${version} is not built in and cannot be folded here.`,
    { remedy: "`colloquy wal read` shows its envelopes." },
  );
}

/** Whose turn is shown through which view; null when only the state is wanted. */
function chooseTurn(
  channel: ChannelMetadata,
  adapter: ChannelAdapter,
  agents: AgentDirectory,
  { as, view: name, viewArgs }: ReplayOptions,
): { agentId: string; spec: ViewSpec; view: ViewPolicy } | null {
  if (as === undefined) {
    if (name === undefined && viewArgs === undefined) return null;
    throw usageError("a view shows what one participant sees.", "Name the participant with --as.");
  }
  const members = participantOrder(channel);
  const agentId = findAgent(agents, as, members);
  if (!members.includes(agentId)) {
    const names = members.map((id) => escapeText(agents.nameOf(id))).join(", ");
    throw new CliError(`${escapeText(as)} takes no part in this channel.`, {
      remedy: `Its participants are ${names}.`,
    });
  }
  const fallback = adapter.defaultView(channel, agentId);
  const args = viewArgs === undefined ? undefined : parseArgs(viewArgs);
  const spec: ViewSpec =
    name === undefined
      ? { name: fallback.name, args: args ?? fallback.args }
      : { name, args: args ?? {} };
  return { agentId, spec, view: createView(spec) };
}

function createView(spec: ViewSpec): ViewPolicy {
  try {
    return createDefaultViewRegistry().create(spec);
  } catch (error) {
    if (isNetworkError(error)) throw usageError(error.message);
    throw error;
  }
}

function parseArgs(text: string): Record<string, unknown> {
  const remedy = "Give a JSON object, for example --view-args '{\"recent_n\": 5}'.";
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw usageError("--view-args is no JSON.", remedy);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usageError("--view-args is no JSON object.", remedy);
}

async function remarkOnEnd(output: Output, asked: number | undefined, head: number): Promise<void> {
  if (asked === undefined || asked <= head) return;
  await output.remark(`the channel ends at position ${head}; that is where the replay stops`);
}
