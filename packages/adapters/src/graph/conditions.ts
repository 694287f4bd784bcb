import { EV_PACKET } from "@colloquy/protocol";
import * as z from "zod";
import { ownRecord, ownText } from "../json-record.js";
import { deepEqual } from "./deep-equal.js";
import { type ConditionType, defineCondition } from "./step-types.js";
import type { ConditionSpec } from "./transition-graph.js";

/** Name of the condition that tells a round which tool calls hand the floor on. */
export const TOOL_CALLED = "tool_called";

/** Conditions that every graph may name. */
export const builtInConditions: readonly ConditionType[] = [
  defineCondition({ name: "always", args: z.strictObject({}), holds: () => true }),
  defineCondition({
    name: "from_speaker",
    args: z.strictObject({ agent_id: z.string().min(1) }),
    agents: ({ agent_id }) => [agent_id],
    holds: ({ agent_id }, { envelope }) => envelope.sender_id === agent_id,
  }),
  defineCondition({
    name: TOOL_CALLED,
    args: z.strictObject({ tool_name: z.string().min(1) }),
    holds({ tool_name }, { envelope }) {
      if (envelope.event_type !== EV_PACKET) return false;
      const routing = ownRecord(envelope.event_data, "routing");
      return routing !== null && ownText(routing, "tool") === tool_name;
    },
  }),
  defineCondition({
    name: "context_equals",
    args: z.strictObject({ key: z.string(), value: z.unknown() }),
    holds({ key, value }, { state }) {
      const current = Object.hasOwn(state.context_vars, key) ? state.context_vars[key] : null;
      return deepEqual(current ?? null, value ?? null);
    },
  }),
];

/** Holds after every turn. */
export function always(): ConditionSpec {
  return { name: "always", args: {} };
}

/** Holds after a turn of this agent. */
export function fromSpeaker(agentId: string): ConditionSpec {
  return { name: "from_speaker", args: { agent_id: agentId } };
}

/** Holds after a packet whose round called this tool to route. */
export function toolCalled(toolName: string): ConditionSpec {
  return { name: TOOL_CALLED, args: { tool_name: toolName } };
}

/**
 * Holds while the context variable equals the value, compared as JSON; a variable that was never set
 * is null. The turn's own updates are already in it.
 */
export function contextEquals(key: string, value: unknown): ConditionSpec {
  return { name: "context_equals", args: { key, value } };
}
