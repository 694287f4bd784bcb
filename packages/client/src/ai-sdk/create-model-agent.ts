import { type LogFields, logFieldsOf } from "@colloquy/protocol";
import type { Agent, Reply, Turn } from "../agent/agent.js";
import { messageOf } from "../errors.js";
import { createDeltaGate } from "./delta-gate.js";
import {
  type ModelAgentOptions,
  type ModelAgentSettings,
  modelAgentSettings,
} from "./model-agent-options.js";
import { runRounds } from "./run-rounds.js";
import { createUsageMeter, type TurnUsage } from "./usage.js";

/**
 * An agent whose turns a model takes.
 *
 * The model reads the instructions, the history and the input of the turn, and may call the agent's
 * tools and those of the turn; tools run here, one after the other, and their results go back to it
 * until it answers. A handoff or a finish ends the turn at once. A call that fails is made again as
 * `retry` says. What it writes is shown through `turn.onDelta`, never what it reasons.
 *
 * `ask` rejects with the reason of `turn.signal` as soon as that is aborted, with
 * `client/model_failed` when the model gave no answer, and with `client/too_many_rounds` when it
 * would not stop calling tools; the hub then has the turn tried again within its limits.
 *
 * @throws InvalidInputError for a wrong option, naming the field
 */
export function createModelAgent(options: ModelAgentOptions): Agent {
  const settings = modelAgentSettings(options);
  return { name: settings.name, ask: (turn) => ask(settings, turn) };
}

async function ask(settings: ModelAgentSettings, turn: Turn): Promise<Reply> {
  const { retry, clock, logger, around } = settings;
  const fields = { ...logFieldsOf(turn.envelope), agent_id: turn.agentId };
  const usage = createUsageMeter();
  const gate = settings.stream ? createDeltaGate((text) => turn.onDelta(text)) : null;
  try {
    return await runRounds(settings, { retry, clock, logger, fields, around, usage, gate }, turn);
  } finally {
    tellUsage(settings, turn, usage.total, fields);
  }
}

/** What a listener throws costs nobody a turn. */
function tellUsage(
  { logger, onUsage }: ModelAgentSettings,
  turn: Turn,
  usage: TurnUsage,
  fields: LogFields,
): void {
  try {
    onUsage(usage, turn);
  } catch (error) {
    logger.error({ ...fields, error: messageOf(error) }, "onUsage threw");
  }
}
