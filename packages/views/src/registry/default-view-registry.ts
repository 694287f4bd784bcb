import { createFullTranscript, FULL_TRANSCRIPT } from "../views/full-transcript.js";
import { createNamedTranscript, NAMED_TRANSCRIPT } from "../views/named-transcript.js";
import {
  createNamedWindowedSummary,
  NAMED_WINDOWED_SUMMARY,
} from "../views/named-windowed-summary.js";
import { transcriptArgsSchema, windowArgsSchema } from "../views/window-args.js";
import { createWindowedSummary, WINDOWED_SUMMARY } from "../views/windowed-summary.js";
import { createViewRegistry, type ViewRegistry } from "./view-registry.js";

/** A new registry with the four built-in views; add your own to it. */
export function createDefaultViewRegistry(): ViewRegistry {
  const registry = createViewRegistry();
  registry.register(FULL_TRANSCRIPT, transcriptArgsSchema, createFullTranscript);
  registry.register(NAMED_TRANSCRIPT, transcriptArgsSchema, createNamedTranscript);
  registry.register(WINDOWED_SUMMARY, windowArgsSchema, createWindowedSummary);
  registry.register(NAMED_WINDOWED_SUMMARY, windowArgsSchema, createNamedWindowedSummary);
  return registry;
}
