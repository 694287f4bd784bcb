import type { ModelStreamPart } from "../ai-sdk/model-types.js";

/** A stream that gives one piece each time that it is asked, and breaks once the signal is aborted. */
export function streamPieces(
  pieces: readonly ModelStreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<ModelStreamPart> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const piece = left.shift();
      return piece === undefined ? controller.close() : controller.enqueue(piece);
    },
  });
}
