import type { Envelope, StoredEnvelope } from "@colloquy/protocol";
import { shortId } from "../data/short-id.js";
import { escapeLines, escapeText } from "../output/escape-text.js";
import { formatInstant } from "../output/format-values.js";
import type { Styles } from "../output/styles.js";
import { clipText, textWidth } from "../output/text-width.js";
import { previewContent } from "./preview-content.js";
import { readBody } from "./read-body.js";

/** Width of a preview where the line has no bound of its own. */
const PREVIEW_CELLS = 160;
/** On a terminal narrower than this the day and the parts of a second are left out. */
const WIDE_TERMINAL_CELLS = 110;
/** Audience members that are named; the rest is counted. */
const NAMED_MEMBERS = 4;
const POSITION_CELLS = 6;

/** How {@link envelopeLines} shows an envelope. */
export interface LineOptions {
  readonly nameOf: (agentId: string) => string;
  readonly styles: Styles;
  /** Cells of a line; null is no bound. */
  readonly columns: number | null;
  /** Shows which channel it is of; for readers of several. */
  readonly withChannel?: boolean | undefined;
  /** Shown instead of the beginning of the content; not escaped. */
  readonly said?: string | undefined;
  /** Shows the whole content below the line instead of its beginning behind it. */
  readonly full?: boolean | undefined;
}

/**
 * A stored envelope for people: position, time, who to whom, event type, and what it says. On a
 * terminal it fits one line.
 *
 * Nothing of the content reaches the terminal as a control character.
 */
export function envelopeLines(stored: StoredEnvelope, options: LineOptions): string[] {
  const envelope = readBody(stored);
  const head = headParts(stored, envelope, options);
  if (options.full === true) return [head.styled.join("  "), ...contentLines(stored, envelope)];
  const { columns, styles } = options;
  const left = columns === null ? PREVIEW_CELLS : columns - textWidth(head.plain.join("  ")) - 2;
  if (left < 1) return [clipText(head.plain.join("  "), columns ?? 0)];
  const said = clipText(previewOf(envelope, options), left);
  return [[...head.styled, envelope === null ? styles.bad(said) : said].join("  ").trimEnd()];
}

function previewOf(envelope: Envelope | null, { nameOf, said }: LineOptions): string {
  if (envelope === null) return "(the stored body is no envelope)";
  return escapeText(said ?? previewContent(envelope, nameOf));
}

interface HeadParts {
  readonly plain: readonly string[];
  readonly styled: readonly string[];
}

function headParts(
  stored: StoredEnvelope,
  envelope: Envelope | null,
  { nameOf, styles, withChannel, columns }: LineOptions,
): HeadParts {
  const safeName = (id: string): string => escapeText(nameOf(id));
  const position = String(stored.position).padStart(POSITION_CELLS);
  const instant = formatInstant(envelope?.created_at ?? "");
  const isNarrow = columns !== null && columns < WIDE_TERMINAL_CELLS;
  const time = isNarrow ? instant.replace(/^.* (\d\d:\d\d:\d\d)\.\d+Z$/, "$1") : instant;
  const sender = safeName(stored.sender_id);
  const audience = envelope === null ? "?" : audienceOf(envelope, safeName);
  const type = escapeText(stored.event_type);
  const channel = withChannel === true ? [escapeText(shortId(stored.channel_id))] : [];
  return {
    plain: [...channel, position, time, `${sender} → ${audience}`, type],
    styled: [
      ...channel.map(styles.faint),
      styles.strong(position),
      styles.faint(time),
      `${styles.name(sender)} → ${audience}`,
      styles.faint(type),
    ],
  };
}

function audienceOf({ audience }: Envelope, nameOf: (agentId: string) => string): string {
  if (audience === null) return "all";
  if (audience.length === 0) return "nobody";
  const named = audience.slice(0, NAMED_MEMBERS).map(nameOf).join(", ");
  const rest = audience.length - NAMED_MEMBERS;
  return rest > 0 ? `${named} +${rest}` : named;
}

function contentLines(stored: StoredEnvelope, envelope: Envelope | null): string[] {
  const text = envelope === null ? stored.body : wholeText(envelope.event_data);
  return escapeLines(text).map((line) => `${" ".repeat(POSITION_CELLS + 2)}${line}`);
}

/** A payload that is nothing but a text reads as the text, any other as JSON. */
function wholeText(data: Readonly<Record<string, unknown>>): string {
  const { text, ...others } = data;
  const isText = typeof text === "string" && Object.keys(others).length === 0;
  return isText ? text : (JSON.stringify(data, null, 2) ?? "");
}
