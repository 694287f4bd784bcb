import { type Envelope, logFieldsOf, type Tool } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";
import type { AgentClient } from "../agent/agent-client.js";
import { createChannel } from "../channel/channel.js";
import { messageOf } from "../errors.js";
import { createNetworkPort } from "../network-tools/create-network-port.js";
import { createNetworkTools } from "../network-tools/create-network-tools.js";
import type { PreparedTurn } from "./prepare-turn.js";
import { stampContext, type TurnFrame } from "./stamp-context.js";
import type { TurnDeltas } from "./turn-deltas.js";
import type { TurnHost } from "./turn-host.js";
import type { WatchedTurnPort } from "./turn-port.js";

/** One run of a turn. */
export interface TurnRun extends TurnFrame {
  readonly attempt: number;
  readonly deltas: Pick<TurnDeltas, "push">;
}

/** Makes what an agent gets to answer a trigger. */
export function buildTurn(
  host: TurnHost,
  prepared: PreparedTurn,
  port: WatchedTurnPort,
  run: TurnRun,
): Turn {
  const { client, hub } = host;
  const { trigger, signal } = run;
  const { metadata, state, names, adapter } = prepared;
  const context = stampContext(
    client,
    createChannel(hub, metadata, {
      agentId: client.agentId,
      post: (draft) => context.client.post(draft),
    }),
    { state, names, routingTools: routingToolsOf(host, adapter, state) },
    run,
  );
  return {
    channel: metadata,
    agentId: client.agentId,
    envelope: trigger,
    history: prepared.history,
    input: prepared.input,
    tools: addNetworkTools(host, context.client, run, offerTools(host, prepared, port, trigger)),
    instructions: host.networkTools ? [introduce(client)] : [],
    context,
    attempt: run.attempt,
    signal,
    onDelta(text) {
      if (!signal.aborted) run.deltas.push(text);
    },
  };
}

/** A fault in finding them costs the rules that go by a tool's name, not the turn. */
function routingToolsOf(
  { logger }: TurnHost,
  { routing, manifest }: PreparedTurn["adapter"],
  state: unknown,
): ReadonlySet<string> | null {
  if (routing === undefined) return null;
  try {
    return new Set(routing.toolsOf(state));
  } catch (error) {
    const { type } = manifest;
    logger.error(
      { type, error: messageOf(error) },
      "the channel type failed to name its routing tools",
    );
    return new Set();
  }
}

/** The tools of the channel type. A fault in making them costs the tools, not the turn. */
function offerTools(
  host: TurnHost,
  { adapter, metadata, state }: PreparedTurn,
  port: WatchedTurnPort,
  trigger: Envelope,
): readonly Tool[] {
  try {
    return adapter.toolsFor(port, metadata, state, port.agentId);
  } catch (error) {
    host.logger.error(
      { ...logFieldsOf(trigger), error: messageOf(error) },
      "the channel type failed to offer its tools",
    );
    return [];
  }
}

/** A tool of the channel type keeps its name. */
function addNetworkTools(
  { networkTools, knowledge, clock }: TurnHost,
  client: AgentClient,
  { trigger, tasks }: TurnRun,
  offered: readonly Tool[],
): readonly Tool[] {
  if (!networkTools) return offered;
  const taken = new Set(offered.map(({ name }) => name));
  const { channel_id: channelId } = trigger;
  const port = createNetworkPort({
    client,
    clock,
    knowledge,
    channelId,
    activeTask: () => tasks.active,
  });
  return [...offered, ...createNetworkTools(port).filter(({ name }) => !taken.has(name))];
}

/** Tells a model who it is, so that it knows its own name among others'. */
function introduce({ name, agentId }: AgentClient): string {
  return `You are ${name} (agent_id: ${agentId}).`;
}
