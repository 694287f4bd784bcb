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

const CONTENT_KEY = ',"event_data":';

/** Length of a content from which on it is cheaper not to serialise it a second time. */
const LARGE_CONTENT = 4_096;

/**
 * Serialises an envelope and links it into its channel's chain.
 *
 * @param envelope - with its keys in the schema's order
 * @param content - the JSON of `event_data`
 * @param place - where it goes
 */
export function sealEnvelope(
  envelope: Envelope,
  content: string,
  place: ChainPlace,
): SealedEnvelope {
  const body =
    content.length < LARGE_CONTENT ? JSON.stringify(envelope) : splice(envelope, content);
  const digest = digestContent(content);
  // No text of an earlier field can hold the key: its quotes would be escaped.
  const start = body.indexOf(CONTENT_KEY);
  const fields = body.slice(0, start) + body.slice(start + CONTENT_KEY.length + content.length, -1);
  const header = `${fields},"content_digest":"${digest}","position":${place.position}}`;
  return { body, digest, hash: chainHashOfText(place.prevHash, header) };
}

/** The JSON of an envelope around a content that is JSON already. */
function splice(envelope: Envelope, content: string): string {
  const empty = JSON.stringify({ ...envelope, event_data: 0 });
  const at = empty.indexOf(CONTENT_KEY) + CONTENT_KEY.length;
  return empty.slice(0, at) + content + empty.slice(at + 1);
}
