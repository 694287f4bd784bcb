import {
  type Content,
  type ContentPart,
  type Envelope,
  partShowsSomething,
  showsSomething,
  type ViewContext,
  visibleTo,
} from "@colloquy/protocol";

/** An envelope that a participant may see, with what it shows. */
export interface ShownLine {
  readonly envelope: Envelope;
  /** A copy of the rendering, without blank parts; never blank as a whole. */
  readonly content: Content;
}

/**
 * The envelopes that the participant may see and that have something to show, in their order.
 *
 * Every view starts here: it is what keeps directed envelopes and blank texts out, whoever cut the
 * slice.
 */
export function shownLines(envelopes: readonly Envelope[], context: ViewContext): ShownLine[] {
  const lines: ShownLine[] = [];
  for (const envelope of envelopes) {
    const content = visibleTo(envelope, context.participantId) ? context.render(envelope) : null;
    if (showsSomething(content)) lines.push({ envelope, content: withoutBlankParts(content) });
  }
  return lines;
}

function withoutBlankParts(content: Content): Content {
  if (typeof content === "string") return content;
  return content.filter(partShowsSomething).map((part): ContentPart => ({ ...part }));
}
