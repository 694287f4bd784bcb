import * as z from "zod";
import { nextInOrder } from "../members/next-in-order.js";
import { closes, type Decision, type RoutingState, speaks } from "./routing-context.js";
import { defineTarget, type TargetType } from "./step-types.js";
import type { TargetSpec } from "./transition-graph.js";

/** Targets that every graph may name. */
export const builtInTargets: readonly TargetType[] = [
  defineTarget({
    name: "agent",
    args: z.strictObject({ agent_id: z.string().min(1) }),
    agents: ({ agent_id }) => [agent_id],
    resolve: ({ agent_id }) => speaks(agent_id),
  }),
  defineTarget({
    name: "round_robin",
    args: z.strictObject({}),
    resolve: (_args, { state }) => nextInTurn(state),
  }),
  defineTarget({
    name: "stay",
    args: z.strictObject({}),
    resolve: (_args, { state }) => speakerOrFirst(state, state.last_speaker_id),
  }),
  defineTarget({
    name: "revert_to_initiator",
    args: z.strictObject({}),
    resolve: (_args, { state }) => speaks(state.creator_id),
  }),
  defineTarget({
    name: "terminate",
    args: z.strictObject({ reason: z.string().min(1).default("after_work") }),
    resolve: ({ reason }) => closes(reason),
  }),
];

/** Always this agent. */
export function agentTarget(agentId: string): TargetSpec {
  return { name: "agent", args: { agent_id: agentId } };
}

/** The participant after the last speaker, in the order of the channel. */
export function roundRobinTarget(): TargetSpec {
  return { name: "round_robin", args: {} };
}

/** The last speaker again. */
export function stayTarget(): TargetSpec {
  return { name: "stay", args: {} };
}

/** The channel's creator. */
export function revertToInitiator(): TargetSpec {
  return { name: "revert_to_initiator", args: {} };
}

/** Nobody: the channel closes with this reason. */
export function terminateTarget(reason = "after_work"): TargetSpec {
  return { name: "terminate", args: { reason } };
}

/** The next in the rotation; an unknown speaker is followed by the first. */
export function nextInTurn(state: RoutingState): Decision {
  const { participant_order: order, hidden_participants: hidden, last_speaker_id } = state;
  const first = order.find((id) => hidden?.includes(id) !== true);
  const next = nextInOrder(order, last_speaker_id, hidden) ?? first;
  return next === undefined ? closes("no_participants") : speaks(next);
}

function speakerOrFirst(state: RoutingState, speaker: string | null): Decision {
  return speaker === null ? nextInTurn(state) : speaks(speaker);
}
