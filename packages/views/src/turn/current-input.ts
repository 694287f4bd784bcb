import {
  type Content,
  type ContentPart,
  EMPTY_SLICE,
  type Envelope,
  partShowsSomething,
  showsSomething,
  type ViewContext,
  type ViewPolicy,
  visibleTo,
} from "@colloquy/protocol";

/**
 * What a turn is to answer: the envelope that set it off, as the participant's view shows it.
 *
 * The envelope alone is projected through the view, so that it is labelled like the history before
 * it. The input is the content of the user messages that come out; one single text comes back as a
 * string. When there are none, `turnInput` decides: an adapter's, which may give something to
 * answer for an envelope that shows nothing. Null means that there is nothing to answer, as for an
 * envelope that the participant may not see.
 *
 * @param turnInput - the adapter's `turnInput`
 */
export function currentInput(
  view: Pick<ViewPolicy, "project">,
  envelope: Envelope,
  context: ViewContext,
  turnInput: (envelope: Envelope) => Content | null,
): Content | null {
  if (!visibleTo(envelope, context.participantId)) return null;
  const messages = view.project({ ...EMPTY_SLICE, envelopes: [envelope] }, context);
  const parts = messages.flatMap((message) =>
    message.role === "user" && message.content !== null ? toParts(message.content) : [],
  );
  if (parts.length > 0) return asInput(parts);
  const fallback = turnInput(envelope);
  return showsSomething(fallback) ? asInput(toParts(fallback)) : null;
}

function toParts(content: Content): ContentPart[] {
  const parts: ContentPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.filter(partShowsSomething);
}

function asInput(parts: ContentPart[]): Content {
  const [first, ...rest] = parts;
  return first?.type === "text" && rest.length === 0 ? first.text : parts;
}
