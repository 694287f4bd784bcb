import { clientFrameSchemas, hubFrameSchemas } from "../frames/frames.js";
import { parseExactJson } from "../json/parse-exact-json.js";
import { decodeFrame } from "./decode-frame.js";
import { type FrameCodec, SUBPROTOCOL } from "./frame-codec.js";

/** Codec of `colloquy.v1`: all kinds; unknown fields are passed over, so that either side may be newer. */
export const colloquyCodec: FrameCodec = {
  profile: SUBPROTOCOL,
  decodeClientFrame: (text) => decodeFrame(clientFrameSchemas, text, parseExactJson),
  decodeHubFrame: (text) => decodeFrame(hubFrameSchemas, text),
  encode: (frame) => JSON.stringify(frame),
  encodeNotify: (envelopeText, recipientId, position, attempt) =>
    `{"kind":"notify","envelope":${envelopeText},"recipient_id":${JSON.stringify(recipientId)},"position":${position},"attempt":${attempt}}`,
};
