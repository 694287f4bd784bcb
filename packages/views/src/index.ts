/** The built-in views of a channel's log, the registry that makes views by name, and what custom views are built of. */
export { type GuardOptions, guardText, QUOTE_MARK } from "./lines/guard-text.js";
export { type LineOptions, lineMessage } from "./lines/line-message.js";
export { type ShownLine, shownLines } from "./lines/shown-lines.js";
export { identityName } from "./names/identity-name.js";
export { speakerName } from "./names/speaker-name.js";
export { createDefaultViewRegistry } from "./registry/default-view-registry.js";
export { createViewRegistry, type ViewRegistry } from "./registry/view-registry.js";
export { NO_OUTPUT } from "./roles/clean-message.js";
export { ABORTED_RESULT } from "./roles/pair-tool-calls.js";
export type { StrictProvider } from "./roles/role-rules.js";
export {
  CLOSING_LINE,
  OPENING_LINE,
  type StrictRolesOptions,
  toStrictRoles,
} from "./roles/to-strict-roles.js";
export { type SliceOptions, sliceWal } from "./slice/slice-wal.js";
export { SUMMARY_HEADING } from "./summary/summary-heading.js";
export { summaryMessage } from "./summary/summary-message.js";
export { currentInput } from "./turn/current-input.js";
export { createFullTranscript, FULL_TRANSCRIPT } from "./views/full-transcript.js";
export { createNamedTranscript, NAMED_TRANSCRIPT } from "./views/named-transcript.js";
export {
  createNamedWindowedSummary,
  NAMED_WINDOWED_SUMMARY,
} from "./views/named-windowed-summary.js";
export { type WindowArgs, windowArgsSchema } from "./views/window-args.js";
export { createWindowedSummary, WINDOWED_SUMMARY } from "./views/windowed-summary.js";
