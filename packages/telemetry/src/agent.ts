/** Traces of agents: their turns, tools, models and checkpoints. Runs in Node and in browsers. */
export { type ChatCall, type ChatFacts, traceChat } from "./agent/trace-chat.js";
export { type CheckpointStore, traceCheckpoints } from "./agent/trace-checkpoints.js";
export { traceTools } from "./agent/trace-tools.js";
export { type AgentTelemetryOptions, withTelemetry } from "./agent/with-telemetry.js";
