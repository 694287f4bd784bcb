import { type EnvelopeDraft, EV_PACKET, isNetworkError, type Round } from "@colloquy/protocol";
import type { TransitionGraph } from "../graph/transition-graph.js";
import { isBlank } from "../text/text-content.js";
import { isSilent } from "../text/text-round.js";
import { resolveRouting } from "./resolve-routing.js";
import type { WorkflowState } from "./state.js";
import type { WorkflowGraphs } from "./workflow-graphs.js";

/**
 * The packet that ends a workflow round: routing, empty context updates, body.
 *
 * A round without a word that routes nowhere passes, with an empty body; with knob `on_silence`
 * `"wait"` nothing is posted.
 */
export function workflowRound(
  round: Round<WorkflowState>,
  graphs: WorkflowGraphs,
): EnvelopeDraft | null {
  if (round.alreadySpoke) return null;
  const graph = graphOrNull(round.state, graphs);
  const routing = resolveRouting(round.events, { graph, resolveName: round.resolveName });
  const silent = isSilent(round);
  if (silent && routing.kind === "text" && round.knobs["on_silence"] === "wait") return null;
  return {
    channel_id: round.channelId,
    sender_id: round.senderId,
    audience: null,
    event_type: EV_PACKET,
    event_data: {
      routing,
      context_updates: { set: {}, delete: [] },
      body: isBlank(round.body) ? "" : round.body,
      ...(round.parts === undefined || round.parts.length === 0 ? {} : { parts: round.parts }),
    },
    causation_id: round.trigger?.envelope_id ?? null,
  };
}

/** A client without the graph's own conditions still ends its round; the hub routes it. */
function graphOrNull(state: WorkflowState, graphs: WorkflowGraphs): TransitionGraph | null {
  try {
    return graphs.bound(state.graph_data).graph;
  } catch (error) {
    if (isNetworkError(error)) return null;
    throw error;
  }
}
