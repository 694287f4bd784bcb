import {
  allOperations,
  isBareOperationName,
  type OperationInput,
  type OperationName,
  type OperationResult,
  parseWith,
  type WireProfile,
} from "@colloquy/protocol";
import { ClientError, messageOf } from "../errors.js";

/** An operation and its parameters, as one profile has them. */
export interface WireRequest {
  readonly op: OperationName;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Something to ask of a hub. It can be put for either profile, because a link may change it. */
export interface Call<T> {
  /** For error messages. */
  readonly name: string;
  request(profile: WireProfile): WireRequest;
  result(value: unknown, profile: WireProfile): T;
  /** True when asking twice does no more than asking once, so that it may be sent again after a break. */
  repeatable(profile: WireProfile): boolean;
}

/** Operations that change nothing. */
const READS: ReadonlySet<OperationName> = new Set<OperationName>([
  "get_agent",
  "get_resume",
  "get_rule",
  "get_skill",
  "find_agent_id",
  "names_for",
  "list_agents",
  "get_channel",
  "list_channels",
  "can_send",
  "pending_turns_for",
  "read_wal",
  "find_envelope_by_causation",
  "get_task",
  "list_tasks",
  "read_task_checkpoint",
  "read_page",
  "search_text",
  "get_state",
  "prepare_turn",
  "resolve_names",
  "handles_for",
  "would_accept",
  "get_inbox",
  "why_waiting",
  "health",
  "ledger",
  "list_dead_letters",
]);

/** A call of one operation with the same parameters under every profile that has it. */
export function operationCall<Op extends OperationName>(
  op: Op,
  params: OperationInput<Op>,
): Call<OperationResult<Op>> {
  return {
    name: op,
    request(profile) {
      if (profile === "ag2" && !isBareOperationName(op)) throw unsupported(op);
      return { op, params: params as Readonly<Record<string, unknown>> };
    },
    result: (value) => parseResult(op, value),
    repeatable: () => READS.has(op),
  };
}

/**
 * Checks what an operation gave.
 *
 * @throws ClientError `client/bad_answer` when it has not the agreed shape
 */
export function parseResult<Op extends OperationName>(op: Op, value: unknown): OperationResult<Op> {
  try {
    return parseWith(allOperations[op].result, value, `answer to ${op}`) as OperationResult<Op>;
  } catch (error) {
    throw new ClientError("client/bad_answer", messageOf(error), { cause: error });
  }
}

function unsupported(op: OperationName): ClientError {
  return new ClientError("client/unsupported", `the hub speaks the bare profile, without ${op}`);
}
