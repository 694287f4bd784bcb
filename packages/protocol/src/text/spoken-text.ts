import type { Envelope } from "../envelope/envelope.js";
import { EV_PACKET, EV_TEXT } from "../envelope/event-types.js";

/** Event types whose envelopes say something; of the others nothing is searched or quoted. */
export const SPOKEN_EVENT_TYPES: ReadonlySet<string> = new Set([EV_TEXT, EV_PACKET]);

/**
 * What an envelope says, as text: of a text its `text`, of a packet its `body`, and of content in
 * parts, there or beside it under `parts`, the text parts, one a line. Empty for an envelope that
 * says nothing in words. Pure, and total for whatever a payload holds.
 */
export function spokenText({
  event_type,
  event_data,
}: Pick<Envelope, "event_type" | "event_data">): string {
  if (!SPOKEN_EVENT_TYPES.has(event_type)) return "";
  const said = textsOf(event_data[event_type === EV_PACKET ? "body" : "text"]);
  // Parts may repeat the text that stands beside them for readers who know no parts.
  const more = textsOf(event_data["parts"]).filter((text) => !said.includes(text));
  return [...said, ...more].join("\n");
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part !== "object" || part === null || Reflect.get(part, "type") !== "text") {
      return [];
    }
    const text: unknown = Reflect.get(part, "text");
    return typeof text === "string" && text !== "" ? [text] : [];
  });
}
