import {
  type FrameCodec,
  type HubFrame,
  type Logger,
  NetworkError,
  TooLargeError,
  toBareCode,
} from "@colloquy/protocol";

/** UTF-8 bytes of one UTF-16 unit at most. */
const MAX_BYTES_PER_UNIT = 3;

/** What {@link encodeFrame} needs besides the frame. */
export interface EncodeOptions {
  readonly codec: FrameCodec;
  readonly maxAnswerBytes: number;
  readonly logger: Logger;
}

/**
 * Writes a frame. A response that cannot be written or is too large becomes an error response to
 * the same request; any other frame that cannot be written is logged and left out (null).
 */
export function encodeFrame(frame: HubFrame, options: EncodeOptions): string | null {
  const { codec, maxAnswerBytes, logger } = options;
  try {
    const text = codec.encode(frame);
    if (frame.kind !== "response" || !frame.ok) return text;
    if (text.length * MAX_BYTES_PER_UNIT <= maxAnswerBytes) return text;
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxAnswerBytes) return text;
    const message = `the answer has ${bytes} bytes and may have ${maxAnswerBytes}; ask for less`;
    return codec.encode(failure(frame.request_id, new TooLargeError(message), codec));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ kind: frame.kind, reason }, "a frame could not be encoded");
    if (frame.kind !== "response") return null;
    const fault = new NetworkError("the answer could not be encoded", "internal");
    return codec.encode(failure(frame.request_id, fault, codec));
  }
}

function failure(requestId: string, error: NetworkError, codec: FrameCodec): HubFrame {
  return {
    kind: "response",
    request_id: requestId,
    ok: false,
    result: null,
    error_code: codec.profile === "ag2" ? toBareCode(error.code) : error.code,
    error_message: error.message,
  };
}
