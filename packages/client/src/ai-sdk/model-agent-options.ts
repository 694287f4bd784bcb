import {
  type Clock,
  createSystemClock,
  describeKind,
  InvalidInputError,
  type Logger,
  parseWith,
  silentLogger,
} from "@colloquy/protocol";
import type { LanguageModel } from "ai";
import * as z from "zod";
import type { Turn } from "../agent/agent.js";
import type { AgentTool } from "../tools/agent-tool.js";
import { type ToolLimits, toolLimits } from "../tools/tool-limits.js";
import { type CallSettings, type GenerationConfig, toCallSettings } from "./generation-config.js";
import { type AroundModelCall, callDirectly } from "./model-call.js";
import { type RetryConfig, type RetryPolicy, retryPolicy } from "./retry-config.js";

import type { TurnUsage } from "./usage.js";

/** Rounds that a turn may have unless the agent says otherwise. */
export const DEFAULT_MAX_ROUNDS = 20;

/** Options of `createModelAgent`. */
export interface ModelAgentOptions {
  /** Name of the agent at its hub. */
  readonly name: string;
  /** Any model of the AI SDK; a bare name is served by the SDK's gateway. */
  readonly model: LanguageModel;
  /** What the model is told to be and to do; stands behind what the turn tells it. */
  readonly instructions?: string | undefined;
  /** Tools that the model has in every turn, beside those of the turn. */
  readonly tools?: readonly AgentTool[] | undefined;
  /** Bounds of the tool calls of one turn. */
  readonly toolLimits?: ToolLimits | undefined;
  readonly generation?: GenerationConfig | undefined;
  readonly retry?: RetryConfig | undefined;
  /** Most rounds of one turn; each is one answer of the model with its tool calls. Default 20. */
  readonly maxRounds?: number | undefined;
  /**
   * Default true: the model writes piece by piece, and what it writes is shown through
   * `turn.onDelta`. False asks for each answer in one piece.
   */
  readonly stream?: boolean | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Default: says nothing. Texts of the conversation are not logged. */
  readonly logger?: Logger | undefined;
  /** Stands around each call of the model; `traceChat` of `@colloquy/telemetry/agent` fits. */
  readonly aroundModelCall?: AroundModelCall | undefined;
  /** Hears once at the end of each turn what it has used, also of one that failed or was stopped. */
  onUsage?(usage: TurnUsage, turn: Turn): void;
}

/** {@link ModelAgentOptions}, checked and complete. */
export interface ModelAgentSettings {
  readonly name: string;
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly tools: readonly AgentTool[];
  readonly toolLimits: ToolLimits;
  readonly generation: CallSettings;
  readonly retry: RetryPolicy;
  readonly maxRounds: number;
  readonly stream: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly around: AroundModelCall;
  onUsage(usage: TurnUsage, turn: Turn): void;
}

const plainOptionsSchema = z.object({
  name: z.string().min(1),
  instructions: z.string().default(""),
  maxRounds: z.int().min(1).default(DEFAULT_MAX_ROUNDS),
  stream: z.boolean().default(true),
});

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidInputError that names the field
 */
export function modelAgentSettings(options: ModelAgentOptions): ModelAgentSettings {
  return {
    ...parseWith(plainOptionsSchema, options, "options of a model agent"),
    model: checkModel(options.model),
    tools: options.tools ?? [],
    toolLimits: toolLimits(options.toolLimits),
    generation: toCallSettings(options.generation),
    retry: retryPolicy(options.retry),
    clock: options.clock ?? createSystemClock(),
    logger: options.logger ?? silentLogger,
    around: options.aroundModelCall ?? callDirectly,
    onUsage: (usage, turn) => options.onUsage?.(usage, turn),
  };
}

function checkModel(model: LanguageModel): LanguageModel {
  const isObject = typeof model === "object" && model !== null && "doGenerate" in model;
  if (isObject || (typeof model === "string" && model !== "")) return model;
  const received = describeKind(model);
  const remedy = "Pass a model of the AI SDK, such as openAiCompatible({ baseUrl, model }).";
  throw new InvalidInputError(
    `options of a model agent, field model: received ${received}. ${remedy}`,
    { field: "model", received, remedy },
  );
}
