import type { StoredEnvelope } from "@colloquy/protocol";
import { chainHash, digestContent, headerOf } from "./hash-chain.js";

/** What can be wrong with a stored envelope. */
export type ChainFault =
  /** The body is no JSON object. */
  | "bad_body"
  /** The position is not the one that follows. */
  | "hole"
  /** The id does not sort above the one before it. */
  | "id_order"
  /** The content is not the one that was digested. */
  | "content"
  /** The hash does not follow from the hash before it and the header. */
  | "hash"
  /** A column beside the body says something else than the body. */
  | "column";

/** One fault of one envelope. */
export interface ChainFinding {
  readonly fault: ChainFault;
  readonly channel_id: string;
  readonly position: number;
  readonly row: number;
  readonly envelope_id: string;
  /** One sentence for people. */
  readonly message: string;
}

/** Where to take a channel up when not from its start. */
export interface ChainStart {
  readonly position: number;
  readonly hash: string;
}

/** Options of {@link verifyChain}. */
export interface VerifyOptions {
  /** What is known to stand before the first envelope of a channel; default: nothing. */
  readonly startOf?: ((channelId: string) => ChainStart | null) | undefined;
}

interface ChainEnd {
  readonly position: number;
  readonly hash: string;
  readonly id: string;
}

/**
 * Checks stored envelopes as they come, of one channel or of many in any mixture.
 *
 * Holds one small record per channel, so the length of the log does not matter. After a fault it
 * goes on from what is stored, so that one broken place gives findings for itself and not for all
 * that follows.
 */
export async function* verifyChain(
  envelopes: AsyncIterable<StoredEnvelope> | Iterable<StoredEnvelope>,
  options: VerifyOptions = {},
): AsyncGenerator<ChainFinding, void, undefined> {
  const ends = new Map<string, ChainEnd>();
  for await (const stored of envelopes) {
    const end = ends.get(stored.channel_id) ?? startOf(stored, options);
    yield* verifyStored(stored, end);
    ends.set(stored.channel_id, {
      position: stored.position,
      hash: stored.hash,
      id: stored.envelope_id,
    });
  }
}

function startOf(stored: StoredEnvelope, options: VerifyOptions): ChainEnd {
  const start = options.startOf?.(stored.channel_id) ?? { position: 0, hash: "" };
  return { ...start, id: "" };
}

/** The faults of one envelope, given what stands before it in its channel. */
export function* verifyStored(
  stored: StoredEnvelope,
  before: { readonly position: number; readonly hash: string; readonly id?: string },
): Generator<ChainFinding, void, undefined> {
  const found = (fault: ChainFault, message: string): ChainFinding => ({
    fault,
    channel_id: stored.channel_id,
    position: stored.position,
    row: stored.row,
    envelope_id: stored.envelope_id,
    message,
  });
  if (stored.position !== before.position + 1) {
    yield found("hole", `position ${stored.position} follows position ${before.position}`);
  }
  if (stored.envelope_id <= (before.id ?? "")) {
    yield found("id_order", `id ${stored.envelope_id} does not sort above ${before.id}`);
  }
  const body = parseBody(stored.body);
  if (body === null) {
    yield found("bad_body", "the body is not a JSON object");
    return;
  }
  const digest = digestContent(JSON.stringify(body["event_data"]) ?? "");
  if (digest !== stored.content_digest) {
    yield found("content", "the content is not the one that was digested");
  }
  const header = headerOf(body, stored.content_digest, stored.position);
  if (chainHash(before.hash, header) !== stored.hash) {
    yield found("hash", "the hash does not follow from the envelope and the hash before it");
  }
  for (const column of COLUMNS) {
    if (body[column] !== stored[column]) {
      yield found("column", `${column} beside the body is not that of the body`);
    }
  }
}

const COLUMNS = ["envelope_id", "channel_id", "sender_id", "causation_id", "event_type"] as const;

function parseBody(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
