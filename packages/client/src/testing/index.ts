/** Models without a network, for tests and examples. Needs the package `ai`, version 6. */
export { type RecordedModel, recordModel } from "./record-model.js";
export { type ModelRecording, parseRecording } from "./recording.js";
export { type ReplayedModel, replayModel } from "./replay-model.js";
export type { ScriptedCall } from "./scripted-call.js";
export { createScriptedModel, type ScriptedModel } from "./scripted-model.js";
export type {
  ModelScript,
  ScriptedAnswer,
  ScriptedRefusal,
  ScriptedSilence,
  ScriptedStep,
  ScriptedToolCall,
  ScriptedUsage,
} from "./scripted-step.js";
