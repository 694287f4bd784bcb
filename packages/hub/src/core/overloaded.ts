import { UnavailableError } from "@colloquy/protocol";

/** Milliseconds after which it is worth asking again: a few commits or answers have gone by then. */
const RETRY_AFTER_MS = 1_000;

/** The refusal of a hub that has too much to do; its details say how long to wait, in `retry_after_ms`. */
export function overloaded(message: string): UnavailableError {
  return new UnavailableError(`${message}; retry in ${RETRY_AFTER_MS} ms`, {
    details: { retry_after_ms: RETRY_AFTER_MS },
  });
}
