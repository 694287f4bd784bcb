import type { RoundEvent } from "@colloquy/protocol";
import type { Turn } from "../agent/agent.js";
import { raceSignal } from "../connection/race-signal.js";
import { ClientError, messageOf } from "../errors.js";
import type { AgentTool } from "./agent-tool.js";
import { callContext } from "./call-context.js";
import { type ContextVariables, createContextVariables } from "./context-variables.js";
import { watchRouting } from "./routing-watch.js";
import { failure, type SettledResult, settleResult } from "./settle-result.js";
import { type ToolLimits, toolLimits } from "./tool-limits.js";

/** Longest part of broken arguments that is shown to the model again. */
const MAX_QUOTED = 500;

/** A tool call as a model asks for it. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** The object, or the text that a model wrote for it. */
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

/** What came of a call. */
export interface ToolOutcome {
  /** Plain JSON, or the `Handoff` or `Finish` that was taken. */
  readonly result: unknown;
  /** What the model reads. */
  readonly text: string;
  readonly failed: boolean;
  /** It has handed the floor on or ended the channel. */
  readonly taken: boolean;
}

/** Runs the tool calls of one turn. */
export interface ToolRunner {
  /** What a model is offered: the agent's own tools, then those of the turn. */
  readonly tools: readonly AgentTool[];
  /** For `Reply.events`: each call with its one result, in the order of the calls. */
  readonly events: readonly RoundEvent[];
  /** A handoff or finish was taken: ask the model no more. */
  readonly routed: boolean;
  /**
   * Runs a call once those before it are over. Whatever is wrong with it, and whatever the tool
   * throws, is told in its result.
   *
   * Rejects with the signal's reason when the turn is stopped, and with `client/too_many_tool_calls`
   * past a limit; the turn ends then.
   */
  run(call: AskedCall): Promise<ToolOutcome>;
}

/**
 * Makes the {@link ToolRunner} of a turn, for any agent: one over a model, a script, a program.
 *
 * A tool of the agent's own stands before one of the same name that the turn brings. The first call
 * that routes the round wins; those after it are answered `Error: not taken`.
 *
 * @param own - the agent's own tools
 * @throws InvalidInputError for a wrong limit, naming it
 */
export function createToolRunner(
  turn: Turn,
  own: readonly AgentTool[] = [],
  limits?: ToolLimits,
): ToolRunner {
  const { maxCalls, maxFailedCalls, maxResultLength } = toolLimits(limits);
  const names = new Set(own.map(({ name }) => name));
  const tools = [...own, ...turn.tools.filter(({ name }) => !names.has(name))];
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const events: RoundEvent[] = [];
  const succeeded = new Map<string, number>();
  const routing = watchRouting(turn);
  let variables: ContextVariables | null = null;
  let calls = 0;
  let failures = 0;
  let routed = false;
  let last: Promise<unknown> = Promise.resolve();

  const variablesOfTurn = (): ContextVariables => {
    variables ??= createContextVariables(turn);
    return variables;
  };
  const call = async ({ id, name, arguments: given }: AskedCall): Promise<unknown> => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(unknownTool(name, tools));
    const args = readArguments(given);
    if (args === null) throw new Error(noObject(name, given));
    const refusal = routing.refuse(name);
    if (refusal !== null) throw new Error(refusal);
    const before = { id, name, succeeded: succeeded.get(name) ?? 0 };
    return tool.run(args, callContext(turn, before, variablesOfTurn));
  };
  const settle = async (asked: AskedCall): Promise<SettledResult & { taken: boolean }> => {
    try {
      const given = await raceSignal(call(asked), turn.signal);
      const verdict = routing.read(given);
      if (verdict.kind === "refused") return { ...failure(verdict.why), taken: false };
      if (verdict.kind === "plain")
        return { ...settleResult(given, maxResultLength), taken: false };
      return { ...settleResult(given, maxResultLength), result: verdict.result, taken: true };
    } catch (error) {
      turn.signal.throwIfAborted();
      return { ...failure(messageOf(error)), taken: false };
    }
  };
  const runNext = async (asked: AskedCall): Promise<ToolOutcome> => {
    turn.signal.throwIfAborted();
    calls += 1;
    if (calls > maxCalls) throw tooMany("calls", maxCalls, "maxCalls");
    const outcome = await settle(asked);
    const { id, name, arguments: args } = asked;
    const { result, failed } = outcome;
    events.push(
      { type: "tool_call", id, name, arguments: args },
      { type: "tool_result", id, result, ...(failed ? { failed } : {}) },
    );
    if (failed) failures += 1;
    else {
      succeeded.set(name, (succeeded.get(name) ?? 0) + 1);
      routing.noteSuccess(name);
    }
    if (failures > maxFailedCalls) throw tooMany("failed calls", maxFailedCalls, "maxFailedCalls");
    routed ||= outcome.taken;
    return outcome;
  };
  return {
    tools,
    events,
    get routed() {
      return routed;
    },
    run(asked) {
      const running = last.then(() => runNext(asked));
      last = running.catch(() => undefined);
      return running;
    },
  };
}

function unknownTool(name: string, tools: readonly AgentTool[]): string {
  const known = tools.map((tool) => tool.name).join(", ");
  return `there is no tool '${name}'; there are: ${known || "none"}`;
}

/** The object that a call has for its arguments; null for anything else. No text at all is no argument. */
function readArguments(given: AskedCall["arguments"]): Readonly<Record<string, unknown>> | null {
  const value = typeof given === "string" ? parse(given.trim() === "" ? "{}" : given) : given;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : null;
}

function noObject(name: string, given: AskedCall["arguments"]): string {
  const shown = (typeof given === "string" ? given : JSON.stringify(given)).slice(0, MAX_QUOTED);
  return `${name}: the arguments are no JSON object: ${shown}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function tooMany(what: string, most: number, knob: string): ClientError {
  return new ClientError(
    "client/too_many_tool_calls",
    `the turn had more than ${most} ${what} of tools; mend the tool or its description, or raise ${knob}`,
    { details: { [knob]: most } },
  );
}
