import type { Tool, ToolContext } from "@colloquy/protocol";
import * as z from "zod";
import { isClientError, messageOf } from "../errors.js";
import { defineTool, optional } from "./define-tool.js";
import { formatSeconds } from "./format-seconds.js";
import type { NetworkHub, NetworkPort } from "./network-port.js";
import { resolvePeer } from "./resolve-peer.js";

/** Seconds that an answer may take unless the model says otherwise. */
const DEFAULT_TIMEOUT = 300;

/** Longest wait that a model may ask for, in seconds: a day. */
const MAX_TIMEOUT = 86_400;

/** Names that are listed when a target is not found. */
const NAMES_SHOWN = 50;

const input = z.object({
  target: z.string().describe("Name or id of the peer to ask."),
  prompt: z.string().describe("What to ask, in full: the peer sees nothing else."),
  capability: optional(z.string(), "What the peer is asked for."),
  timeout: optional(
    z.number().positive().max(MAX_TIMEOUT),
    `Seconds to wait for the answer; ${DEFAULT_TIMEOUT} by default.`,
  ),
});

/**
 * The tool `delegate`: asks a peer one question in a channel of its own and gives its answer.
 *
 * The question is one hop deeper than what the turn answers, and ends with the turn. A channel that
 * has no answer in time is closed.
 */
export function createDelegateTool(port: NetworkPort): Tool {
  return defineTool({
    name: "delegate",
    description: "Ask a peer one question and wait for the answer.",
    input,
    async run({ target, prompt, capability, timeout }, context) {
      const peer = await resolvePeer(port.hub, target);
      if (peer === null) return notFound(port, target);
      const { agent_id } = peer;
      if (agent_id === null) return `Error: target '${target}' has no agent_id`;
      if (agent_id === port.agentId) {
        return `Error: cannot delegate to self (target '${target}' is this agent)`;
      }
      const seconds = timeout ?? DEFAULT_TIMEOUT;
      return ask(port, { target, agentId: agent_id, prompt, capability, seconds }, context);
    },
  });
}

interface Question {
  readonly target: string;
  readonly agentId: string;
  readonly prompt: string;
  readonly capability: string | null | undefined;
  readonly seconds: number;
}

async function ask(
  port: NetworkPort,
  { target, agentId, prompt, capability, seconds }: Question,
  { signal }: ToolContext,
): Promise<string> {
  let stage: "none" | "opened" | "asked" = "none";
  try {
    return await port.consult(agentId, prompt, {
      timeoutMs: seconds * 1_000,
      signal,
      capability: capability ?? undefined,
      onStage: (reached) => {
        stage = reached;
      },
    });
  } catch (error) {
    if (stage === "none") return `Error: failed to open consulting channel: ${messageOf(error)}`;
    if (stage === "opened") return `Error: prompt send failed: ${messageOf(error)}`;
    if (!isClientError(error)) return `Error: delegate to '${target}' failed: ${messageOf(error)}`;
    if (error.code === "client/timed_out") {
      return `Error: delegate to '${target}' timed out after ${formatSeconds(seconds)}s`;
    }
    const what = error.code === "client/channel_ended" ? "" : "failed: ";
    return `Error: delegate to '${target}' ${what}${error.message}`;
  }
}

async function notFound(port: NetworkPort, target: string): Promise<string> {
  const sentence = `Error: target '${target}' not found`;
  const names = await namesOfOthers(port.hub, port.agentId);
  return names === null ? sentence : `${sentence}. Available targets: [${names.join(", ")}]`;
}

/** The directory is a help; when it cannot be read the sentence does without. */
async function namesOfOthers(hub: NetworkHub, agentId: string): Promise<string[] | null> {
  try {
    const agents = await hub.listAgents({ sort_by: "name", limit: NAMES_SHOWN + 1 });
    const others = agents.filter(({ agent_id }) => agent_id !== agentId);
    return others.slice(0, NAMES_SHOWN).map(({ name }) => name);
  } catch {
    return null;
  }
}
