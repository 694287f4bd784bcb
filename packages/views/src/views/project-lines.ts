import type { Message, ViewContext, WalSlice } from "@colloquy/protocol";
import { lineMessage } from "../lines/line-message.js";
import { shownLines } from "../lines/shown-lines.js";
import { type PartKinds, showKinds } from "../lines/shown-parts.js";
import { identityName } from "../names/identity-name.js";
import { summaryMessage } from "../summary/summary-message.js";

/** What the four built-in views differ in. */
export interface ProjectOptions {
  /** True to label others' lines and to name speakers in the summary; else ids stand there. */
  readonly named: boolean;
  /** How many of the newest lines to show. */
  readonly last: number | "all";
  /** Kinds of parts to show; notes stand in the place of others. Default: all. */
  readonly parts?: PartKinds | undefined;
}

/** A summary of what stands before, if anything does, and then the lines. */
export function projectLines(
  slice: WalSlice,
  context: ViewContext,
  { named, last, parts }: ProjectOptions,
): Message[] {
  const all = shownLines(slice.envelopes, context).map((line) => ({
    ...line,
    content: showKinds(line.content, parts),
  }));
  const start = last === "all" ? 0 : Math.max(0, all.length - last);
  const elided = all.slice(0, start).map((line) => line.envelope.sender_id);
  const leftOut = {
    count: slice.left_out.count + elided.length,
    senders: [...slice.left_out.senders, ...elided],
  };
  return [
    ...summaryMessage(leftOut, named ? context.nameFor : identityName),
    ...all.slice(start).map((line) => lineMessage(line, context, { labelled: named })),
  ];
}
