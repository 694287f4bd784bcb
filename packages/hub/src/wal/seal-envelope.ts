import type { Envelope } from "@colloquy/protocol";
import { chainHashOfText, digestContent } from "./hash-chain.js";

/** An envelope made ready for the WAL. */
export interface SealedEnvelope {
  /** Its JSON, keys in the schema's order. */
  readonly body: string;
  /** See `StoredEnvelope.content_digest`. */
  readonly digest: string;
  /** See `StoredEnvelope.hash`. */
  readonly hash: string;
}

/** Where an envelope stands in its channel. */
export interface ChainPlace {
  readonly position: number;
  /** Hash of the envelope before it; empty for the first. */
  readonly prevHash: string;
}

/**
 * Serialises an envelope once and links it into its channel's chain.
 *
 * `content` is the JSON of `event_data`, made once at the door, so that it is neither serialised
 * again for the body nor for the digest.
 */
export function sealEnvelope(
  envelope: Envelope,
  content: string,
  place: ChainPlace,
): SealedEnvelope {
  const before = JSON.stringify({
    envelope_id: envelope.envelope_id,
    channel_id: envelope.channel_id,
    sender_id: envelope.sender_id,
    audience: envelope.audience,
    event_type: envelope.event_type,
  }).slice(0, -1);
  const behind = JSON.stringify({
    task_id: envelope.task_id,
    causation_id: envelope.causation_id,
    trace_id: envelope.trace_id,
    priority: envelope.priority,
    depth: envelope.depth,
    idempotency_key: envelope.idempotency_key,
    created_at: envelope.created_at,
    ttl_seconds: envelope.ttl_seconds,
  }).slice(1);
  const digest = digestContent(content);
  const fields = `${before},${behind.slice(0, -1)}`;
  const header = `${fields},"content_digest":"${digest}","position":${place.position}}`;
  return {
    body: `${before},"event_data":${content},${behind}`,
    digest,
    hash: chainHashOfText(place.prevHash, header),
  };
}
