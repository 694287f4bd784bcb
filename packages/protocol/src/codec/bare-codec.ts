import { envelopeSchema } from "../envelope/envelope.js";
import { bareClientFrameSchemas, bareHubFrameSchemas, type Frame } from "../frames/frames.js";
import { parseExactJson } from "../json/parse-exact-json.js";
import { parseForeignJson } from "../json/parse-foreign-json.js";
import { decodeFrame } from "./decode-frame.js";
import type { FrameCodec } from "./frame-codec.js";

const ENVELOPE_KEYS = Object.keys(envelopeSchema.shape);

/** Kind to the fields that a bare peer knows; a peer drops a frame that has any other. */
const FRAME_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ ...bareClientFrameSchemas, ...bareHubFrameSchemas }).map(([kind, schema]) => [
    kind,
    Object.keys(schema.shape),
  ]),
);

/**
 * Codec of the bare profile: nine kinds with exactly their fields, as unmodified AG2 peers expect.
 *
 * What only `colloquy.v1` knows is refused on the way in and left out on the way out.
 */
export const bareCodec: FrameCodec = {
  profile: "ag2",
  decodeClientFrame: (text) => decodeFrame(bareClientFrameSchemas, text, parseExactJson),
  decodeHubFrame: (text) => decodeFrame(bareHubFrameSchemas, text, parseForeignJson),
  encode,
  encodeNotify: (envelopeText, recipientId) =>
    `{"envelope":${envelopeText},"recipient_id":${JSON.stringify(recipientId)},"kind":"notify"}`,
};

function encode(frame: Frame): string {
  const keys = FRAME_KEYS.get(frame.kind);
  if (keys === undefined) {
    throw new TypeError(`the bare profile has no frame "${frame.kind}"`);
  }
  const known = pick(frame, keys);
  if (frame.kind === "notify") known["envelope"] = pick(frame.envelope, ENVELOPE_KEYS);
  return JSON.stringify(known);
}

function pick(record: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(record, key)]));
}
