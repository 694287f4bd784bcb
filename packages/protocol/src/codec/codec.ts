import { bareCodec } from "./bare-codec.js";
import { colloquyCodec } from "./colloquy-codec.js";
import { type FrameCodec, SUBPROTOCOL } from "./frame-codec.js";

/**
 * Codec for a connection, by what its handshake agreed on.
 *
 * @param subprotocol - subprotocol of the WebSocket; empty or null when there is none
 * @returns the `colloquy.v1` codec when that was agreed, else the bare one
 */
export function codecFor(subprotocol: string | null): FrameCodec {
  return subprotocol === SUBPROTOCOL ? colloquyCodec : bareCodec;
}
