import { hash } from "node:crypto";
import type { Envelope } from "@colloquy/protocol";

/**
 * What the chain hash covers beside the hash before it: the envelope without its content, then the
 * content's digest and the position. The order of keys is that of the envelope's JSON.
 */
export type ChainHeader = Readonly<Record<string, unknown>> & {
  readonly content_digest: string;
  readonly position: number;
};

/** SHA-256 of a content's JSON, as 64 hex characters. */
export function digestContent(content: string): string {
  return hash("sha256", content);
}

/** SHA-256 over the hash of the channel's previous envelope (empty for the first) and a header. */
export function chainHash(prevHash: string, header: ChainHeader): string {
  return chainHashOfText(prevHash, JSON.stringify(header));
}

/** As {@link chainHash}, for a header that is JSON already. */
export function chainHashOfText(prevHash: string, header: string): string {
  return hash("sha256", `${prevHash}\n${header}`);
}

/** The header of an envelope; fields that this version does not know are covered too. */
export function headerOf(
  envelope: Readonly<Record<string, unknown>> | Envelope,
  contentDigest: string,
  position: number,
): ChainHeader {
  const { event_data: _content, ...fields } = envelope;
  return { ...fields, content_digest: contentDigest, position };
}
