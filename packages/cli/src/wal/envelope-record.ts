import type { StoredEnvelope } from "@colloquy/protocol";

/** A stored envelope for machines: its place, its proof, and the envelope as it was stored. */
export interface EnvelopeRecord {
  readonly row: number;
  readonly position: number;
  readonly hash: string;
  readonly content_digest: string;
  /** The envelope's JSON object; the text itself where it is none. */
  readonly envelope: unknown;
}

/** Makes an {@link EnvelopeRecord}. */
export function envelopeRecord(stored: StoredEnvelope): EnvelopeRecord {
  const { row, position, hash, content_digest, body } = stored;
  return { row, position, hash, content_digest, envelope: parseBody(body) };
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
