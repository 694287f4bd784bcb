/** Agents whose turns a model takes, over the AI SDK. Needs the package `ai`, version 6. */
export { createModelAgent } from "./create-model-agent.js";
export type { GenerationConfig } from "./generation-config.js";
export type { ModelAgentOptions } from "./model-agent-options.js";
export type { AroundModelCall, ModelCall, ModelFacts } from "./model-call.js";
export { type OpenAiCompatibleOptions, openAiCompatible } from "./openai-compatible.js";
export type { RetryConfig } from "./retry-config.js";
export type { TurnUsage } from "./usage.js";
