import { SAY_TOOL } from "@colloquy/adapters";
import { showsSomething } from "@colloquy/protocol";
import { jsonSchema, type ModelMessage, type ToolResultPart, type ToolSet, tool } from "ai";
import type { Reply, Turn } from "../agent/agent.js";
import { ClientError } from "../errors.js";
import { createToolRunner, type ToolRunner } from "../tools/tool-runner.js";
import type { AskedTool, ModelAnswer } from "./ask-once.js";
import { createCallIds } from "./call-ids.js";
import type { ModelCaller } from "./call-model.js";
import { createAsker } from "./create-asker.js";
import type { ModelAgentSettings } from "./model-agent-options.js";
import { toModelPrompt, toolResultPart } from "./to-model-prompt.js";
import { turnMessages } from "./turn-messages.js";

/**
 * Lets a model answer a turn, round by round: one question to the model, then the tools that it asks
 * for, one after the other, and their results with the next question. It ends with an answer that
 * asks for no tool, or when a tool has handed the floor on or ended the channel.
 *
 * The text is that of the last round which said something: some models say all before their last
 * tool call and close with nothing. Where such a turn has spoken by the tool `say`, what came beside
 * it was no answer, and the turn is silent. Rejects with `client/too_many_rounds` past the limit.
 */
export async function runRounds(
  settings: ModelAgentSettings,
  caller: ModelCaller,
  turn: Turn,
): Promise<Reply> {
  const runner = createToolRunner(turn, settings.tools, settings.toolLimits);
  const prompt = toModelPrompt(turnMessages(turn, settings.instructions));
  const { model, generation } = settings;
  const request = { ...prompt, ...generation, model, abortSignal: turn.signal };
  const asker = createAsker(caller, { ...request, tools: toToolSet(runner) });
  const callIds = createCallIds();
  let messages: readonly ModelMessage[] = prompt.messages;
  let text: string | null = null;
  for (let round = 1; round <= settings.maxRounds; round += 1) {
    const answer = callIds.rename(await asker(messages));
    if (showsSomething(answer.text)) text = answer.text;
    else if (answer.calls.length === 0 && hasSaid(runner)) text = null;
    if (answer.calls.length === 0) {
      checkEnd(caller, answer, text !== null || hasSaid(runner));
      return { text, events: runner.events };
    }
    const results = await runTools(runner, answer.calls);
    if (runner.routed) return { text, events: runner.events };
    messages = [...messages, ...answer.messages, { role: "tool", content: results }];
  }
  throw new ClientError(
    "client/too_many_rounds",
    `the model still asked for tools after ${settings.maxRounds} rounds; tell it when to stop, or raise maxRounds`,
    { details: { max_rounds: settings.maxRounds } },
  );
}

function toToolSet({ tools }: ToolRunner): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

async function runTools(
  runner: ToolRunner,
  calls: readonly AskedTool[],
): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const call of calls) {
    const { text, failed } = await runner.run(call);
    results.push(toolResultPart(call, text, failed));
  }
  return results;
}

/** The channel type's own tool for speaking in the middle of a turn was called. */
function hasSaid({ events }: ToolRunner): boolean {
  return events.some((event) => event.type === "tool_call" && event.name === SAY_TOOL);
}

/** Silence is an answer only where the model chose it, and a cut answer is worth a line. */
function checkEnd({ logger, fields }: ModelCaller, answer: ModelAnswer, hasSpoken: boolean) {
  const { finishReason } = answer;
  const why = FORCED_ENDS[finishReason];
  if (why === undefined) return;
  if (hasSpoken) {
    logger.warn({ ...fields, finish_reason: finishReason }, `the answer was cut: ${why}`);
    return;
  }
  throw new ClientError("client/model_failed", `the model gave no answer: ${why}`, {
    details: { finish_reason: finishReason },
  });
}

/** Reasons to finish that the model has not chosen. */
const FORCED_ENDS: Readonly<Record<string, string>> = {
  length: "it used up its tokens; raise generation.maxTokens",
  "content-filter": "its provider's filter kept it back",
};
