import {
  type ChannelMetadata,
  findParticipant,
  isNetworkError,
  ProtocolError,
} from "@colloquy/protocol";
import type { BoundGraph } from "../graph/bind-graph.js";
import { isRecord, type JsonRecord } from "../json-record.js";
import { checkKnobs } from "../knobs/check-knobs.js";
import { requireMany } from "../members/require-many.js";
import { workflowKnobs } from "./knobs.js";
import type { WorkflowGraphs } from "./workflow-graphs.js";

/**
 * At least two participants, knobs that the type knows, and a graph that loads and names nobody who
 * takes no part.
 */
export function validateWorkflowCreate(channel: ChannelMetadata, graphs: WorkflowGraphs): void {
  requireMany(channel);
  checkKnobs(workflowKnobs, channel);
  const { bound } = readGraphKnob(channel, graphs);
  const stranger = bound.agents.find((id) => findParticipant(channel, id) === undefined);
  if (stranger === undefined) return;
  const members = channel.participants.map(({ agent_id }) => `'${agent_id}'`).join(", ");
  throw new ProtocolError(
    `workflow graph names '${stranger}', who takes no part; participants are ${members}`,
    { details: { field: "graph", agent_id: stranger } },
  );
}

/** The `graph` knob and what it loads to; throws `ProtocolError` with the loader's message. */
export function readGraphKnob(
  channel: ChannelMetadata,
  graphs: WorkflowGraphs,
): { readonly data: JsonRecord; readonly bound: BoundGraph } {
  const data = channel.knobs["graph"];
  if (!isRecord(data)) throw new ProtocolError("workflow needs the knob graph, an object");
  try {
    return { data, bound: graphs.bound(data) };
  } catch (cause) {
    if (!isNetworkError(cause)) throw cause;
    throw new ProtocolError(`knob graph of a workflow channel: ${cause.message}`, {
      cause,
      details: { field: "graph" },
    });
  }
}
