import type { WebSocket } from "ws";
import { IDLE_CALLBACKS, type Lane } from "./lane.js";
import type { LanePlan } from "./lane-plan.js";
import { postFrame } from "./message.js";
import { openSocket } from "./open-socket.js";

/** Opens a lane to an echo: a message has come round when it is back. It says what a lane to the hub would. */
export async function openEchoLane(url: string, { voices }: LanePlan): Promise<Lane> {
  const socket: WebSocket = await openSocket(url);
  const lane: Lane = {
    ...IDLE_CALLBACKS,
    post(sequence) {
      const voice = voices[sequence % voices.length];
      if (voice === undefined) throw new Error("a lane needs somebody who speaks");
      socket.send(postFrame(sequence, voice));
    },
    close: () => socket.close(),
  };
  socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { readonly request_id: string };
    lane.onDone(Number(frame.request_id));
  });
  socket.on("close", (code) => lane.onFailed(new Error(`an echo closed its socket: ${code}`)));
  return lane;
}
