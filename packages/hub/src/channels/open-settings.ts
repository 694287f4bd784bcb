import {
  type ChannelAdapter,
  type ChannelMetadata,
  describeKind,
  formatTimestamp,
  InvalidInputError,
  ProtocolError,
  parseDuration,
} from "@colloquy/protocol";
import { sealContent } from "../append/seal-content.js";
import { requireSize } from "../core/json-copy.js";
import { quote } from "../core/quote.js";
import type { CreateChannel } from "../hub.js";

/** Newest instant that a timestamp can say. */
const MAX_EPOCH_MS = 8.64e15;
/** Faults of knobs that an error tells one by one. */
const MAX_FINDINGS = 10;
const MAX_KNOB_PATH = 200;

/** When the channel expires; null for a life of 0 or less, which is without end. */
export function parseTtl(ttl: string | number, now: number): string | null {
  const remedy = "Give whole seconds, or digits with a unit s, m, h or d; 0 means without end.";
  try {
    const seconds = parseDuration(ttl);
    if (seconds <= 0) return null;
    const at = now + seconds * 1_000;
    if (at <= MAX_EPOCH_MS) return formatTimestamp(at);
  } catch (cause) {
    throw invalid("ttl", describeKind(ttl), remedy, cause);
  }
  throw invalid("ttl", "a duration that is too long", remedy);
}

/** The knobs as the adapter's schema makes them; throws `ProtocolError` that names the knob. */
export function parseKnobs(
  adapter: ChannelAdapter,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { value } = sealContent(given, "knobs");
  const parsed = adapter.knobs.safeParse(value);
  if (parsed.success) return { ...sealContent(parsed.data, "knobs").value };
  const { type } = adapter.manifest;
  const { issues } = parsed.error;
  const findings = issues.slice(0, MAX_FINDINGS).map((issue) => {
    const knob = issue.path.map(String).join(".").slice(0, MAX_KNOB_PATH);
    return knob === "" ? issue.message : `${knob}: ${issue.message}`;
  });
  const more = issues.length > MAX_FINDINGS ? `; and ${issues.length - MAX_FINDINGS} more` : "";
  throw new ProtocolError(`knobs of a '${type}' channel: ${findings.join("; ")}${more}`, {
    details: { findings },
  });
}

/** The labels with the intent among them; throws `TooLargeError` beyond so many bytes of JSON. */
export function parseLabels(
  { labels, intent }: CreateChannel,
  maxBytes: number,
): Record<string, string> {
  const { value } = sealContent(labels ?? {}, "labels");
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") continue;
    throw invalid(`labels.${key.slice(0, 64)}`, describeKind(text), "Give texts only.");
  }
  const own = value as Record<string, string>;
  const all = intent ? { ...own, intent } : { ...own };
  requireSize(JSON.stringify(all), maxBytes, "labels");
  return all;
}

/** How many invitees must accept; null for all. */
export function parseRequiredAcks(required: number | null, invitees: number): number | null {
  if (required === null) return null;
  if (!Number.isSafeInteger(required) || required < 0) {
    throw invalid(
      "required_acks",
      describeKind(required),
      "Give a whole number from 0 up, or null.",
    );
  }
  if (required <= invitees) return required;
  throw new ProtocolError(
    `required_acks is ${required}, but only ${invitees} invitees can accept; ask for fewer, or null for all`,
  );
}

/** Holds a channel to the bounds of its manifest. */
export function checkBounds({ manifest }: ChannelAdapter, { participants }: ChannelMetadata): void {
  const { min, max } = manifest.participants;
  const count = participants.length;
  if (count >= min && (max === null || count <= max)) return;
  const bounds = max === null ? `at least ${min}` : `${min} to ${max}`;
  throw new ProtocolError(
    `a ${quote(manifest.type)} channel takes ${bounds} participants, got ${count}`,
  );
}

function invalid(
  field: string,
  received: string,
  remedy: string,
  cause?: unknown,
): InvalidInputError {
  return new InvalidInputError(`${field}: received ${received}. ${remedy}`, {
    field,
    received,
    remedy,
    cause,
  });
}
