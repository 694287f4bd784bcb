import type { HubFrame } from "@colloquy/protocol";
import { IDLE_CALLBACKS, type Lane } from "./lane.js";
import type { LanePlan } from "./lane-plan.js";
import { postFrame, sequenceOf } from "./message.js";
import { type HubSocket, openHubSocket } from "./open-hub-socket.js";
import { createReceipts } from "./receipts.js";

/**
 * Opens a lane to the hub: a message has come round when its sender has the answer and its
 * recipient, who is on the same connection, has the notify. Notifies are acknowledged at once.
 */
export async function openHubLane(url: string, { names, voices }: LanePlan): Promise<Lane> {
  const hub: HubSocket = await openHubSocket(url, names);
  const receipts = createReceipts(hub.socket);
  const half = new Set<number>();
  const lane: Lane = {
    ...IDLE_CALLBACKS,
    post(sequence) {
      const voice = voices[sequence % voices.length];
      if (voice === undefined) throw new Error("a lane needs somebody who speaks");
      hub.socket.send(postFrame(sequence, voice));
    },
    close: () => hub.socket.close(),
  };
  const arrived = (sequence: number): void => {
    if (half.delete(sequence)) lane.onDone(sequence);
    else half.add(sequence);
  };
  hub.onFrame = (frame: HubFrame) => {
    if (frame.kind === "response") {
      if (frame.ok) arrived(Number(frame.request_id));
      else lane.onFailed(new Error(`${frame.error_code}: ${frame.error_message}`));
    } else if (frame.kind === "notify") {
      receipts.add(frame);
      const sequence = sequenceOf(frame.envelope.event_data);
      if (!Number.isNaN(sequence)) arrived(sequence);
    } else if (frame.kind === "ping") {
      hub.socket.send('{"kind":"pong"}');
    } else if (frame.kind === "error") {
      lane.onFailed(new Error(`${frame.code}: ${frame.message}`));
    }
  };
  hub.onClosed = (code) => lane.onFailed(new Error(`the hub closed the connection: ${code}`));
  return lane;
}
