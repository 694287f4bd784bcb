import { type HubFrame, SUBPROTOCOL } from "@colloquy/protocol";
import type { WebSocket } from "ws";
import { openSocket } from "./open-socket.js";

/** An open connection with its participants bound. */
export interface HubSocket {
  readonly socket: WebSocket;
  /** Called with every frame; set by whoever uses the connection. */
  onFrame: (frame: HubFrame) => void;
  /** Called once when the connection has ended. */
  onClosed: (code: number) => void;
}

/**
 * Opens a connection of Colloquy's own profile and binds participants to it. Frames are not checked:
 * an ordinary client does that on its own time, and so must not be measured here.
 *
 * @param names - registered participants; what is outstanding for them is sent again
 */
export async function openHubSocket(url: string, names: readonly string[]): Promise<HubSocket> {
  const socket = await openSocket(url, [SUBPROTOCOL]);
  const open: HubSocket = { socket, onFrame: () => undefined, onClosed: () => undefined };
  socket.on("message", (data: Buffer) => open.onFrame(JSON.parse(data.toString()) as HubFrame));
  socket.on("close", (code) => open.onClosed(code));
  for (const name of names) await bind(open, name);
  return open;
}

function bind(open: HubSocket, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    open.onFrame = (frame) => {
      if (frame.kind === "welcome") resolve();
      if (frame.kind === "error") reject(new Error(`${name}: ${frame.code}: ${frame.message}`));
    };
    open.onClosed = (code) => reject(new Error(`${name}: the hub closed the connection: ${code}`));
    open.socket.send(JSON.stringify({ kind: "hello", name, since_envelope_id: null }));
  });
}
