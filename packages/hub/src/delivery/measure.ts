import { idTime } from "@colloquy/protocol";
import type { Board } from "./board.js";

/** Milliseconds since an envelope was admitted, which its id tells; 0 for ids of another form. */
export function lagSince(board: Pick<Board, "context">, envelopeId: string): number {
  const now = board.context.clock.now();
  return Math.max(0, now - (idTime(envelopeId) ?? now));
}
