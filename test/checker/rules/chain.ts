import { createHash } from "node:crypto";
import type { Finding } from "../finding.js";
import type { Log, LoggedEnvelope } from "../log/log.js";

/** SHA-256 of a text in UTF-8, as 64 hexadecimal characters. */
function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The digest of a content. */
export function contentDigestOf(data: unknown): string {
  return sha256(JSON.stringify(data));
}

/** The hash of an envelope at a position, behind one with the hash `previous`. */
export function chainHashOf(
  previous: string,
  whole: Readonly<Record<string, unknown>>,
  place: { readonly contentDigest: string; readonly position: number },
): string {
  const header: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(whole)) {
    if (key !== "event_data") header[key] = value;
  }
  header["content_digest"] = place.contentDigest;
  header["position"] = place.position;
  return sha256(`${previous}\n${JSON.stringify(header)}`);
}

/** Every content is the one that was digested, every hash follows from the one before it. */
export function* checkChain(log: Log): Generator<Finding, void> {
  for (const channel of log.channels.values()) {
    let previous = "";
    for (const envelope of channel.envelopes) {
      yield* checkLink(previous, envelope);
      previous = envelope.hash;
    }
  }
}

function* checkLink(previous: string, envelope: LoggedEnvelope): Generator<Finding, void> {
  const { where, whole, hash } = envelope;
  if (contentDigestOf(whole["event_data"]) !== envelope.contentDigest) {
    yield { kind: "content", where, message: "the content is not the one that was digested" };
  }
  if (chainHashOf(previous, whole, envelope) !== hash) {
    yield { kind: "hash", where, message: "the hash does not follow from the one before it" };
  }
}
