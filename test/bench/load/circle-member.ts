import type { HubFrame, NotifyFrame } from "@colloquy/protocol";
import { openHubSocket } from "./open-hub-socket.js";
import { openSocket } from "./open-socket.js";
import { createReceipts } from "./receipts.js";

/** One connection that hears broadcasts. */
export interface CircleMember {
  send(text: string): void;
  /** Called with each broadcast that arrives. */
  onHeard: () => void;
  onFailed: (error: Error) => void;
  /** False: notifies are acknowledged by `settle`. */
  acknowledgeAtOnce: boolean;
  /** Acknowledges what was held back; resolves when the server has taken it. */
  settle(): Promise<void>;
}

const QUIET = {
  onHeard: () => undefined,
  onFailed: () => undefined,
  acknowledgeAtOnce: true,
};

/** Connects to the bare broadcast server, which knows nobody and wants no receipts. */
export async function openBareMember(url: string): Promise<CircleMember> {
  const socket = await openSocket(url);
  const member: CircleMember = {
    ...QUIET,
    send: (text) => socket.send(text),
    settle: () => Promise.resolve(),
  };
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as HubFrame;
    if (frame.kind === "notify") member.onHeard();
  });
  return member;
}

/** Connects a participant to the hub. */
export async function openHubMember(url: string, name: string): Promise<CircleMember> {
  const hub = await openHubSocket(url, [name]);
  const receipts = createReceipts(hub.socket);
  let held: NotifyFrame[] = [];
  let onPong = (): void => undefined;
  const member: CircleMember = {
    ...QUIET,
    send: (text) => hub.socket.send(text),
    settle() {
      if (held.length === 0) return Promise.resolve();
      for (const notify of held) receipts.add(notify);
      held = [];
      receipts.flush();
      return new Promise((resolve) => {
        onPong = resolve;
        hub.socket.send('{"kind":"ping"}');
      });
    },
  };
  hub.onFrame = (frame) => {
    if (frame.kind === "notify") {
      if (member.acknowledgeAtOnce) receipts.add(frame);
      else held.push(frame);
      member.onHeard();
    } else if (frame.kind === "pong") {
      onPong();
    } else if (frame.kind === "ping") {
      hub.socket.send('{"kind":"pong"}');
    } else if (frame.kind === "error") {
      member.onFailed(new Error(`${frame.code}: ${frame.message}`));
    } else if (frame.kind === "response" && !frame.ok) {
      member.onFailed(new Error(`${frame.error_code}: ${frame.error_message}`));
    }
  };
  hub.onClosed = (code) => member.onFailed(new Error(`the hub closed the connection: ${code}`));
  return member;
}
