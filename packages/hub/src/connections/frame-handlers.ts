import type { ClientFrame } from "@colloquy/protocol";
import { relayDelta } from "./deltas.js";
import { receiveHello } from "./hello.js";
import { receiveReceipts } from "./receipts.js";
import { receiveRequest } from "./requests.js";
import type { ConnectionWork, Session } from "./session.js";

/** What a kind of frame does; `bytes` is the size of its message. A promise means that the frames after it wait. */
export type FrameHandler<K extends ClientFrame["kind"]> = (
  work: ConnectionWork,
  session: Session,
  frame: Extract<ClientFrame, { kind: K }>,
  bytes: number,
) => void | Promise<void>;

/** One handler per kind that a client may send; the compiler sees to it that none is missing. */
export const frameHandlers = {
  hello: receiveHello,
  request: receiveRequest,
  receipt: (work, session, frame) => receiveReceipts(work, session, [frame]),
  receipts: (work, session, frame) => receiveReceipts(work, session, frame.items),
  delta: relayDelta,
  ping: (_work, session) => session.peer.send({ kind: "pong" }),
  pong: () => undefined,
} satisfies { readonly [K in ClientFrame["kind"]]: FrameHandler<K> };
