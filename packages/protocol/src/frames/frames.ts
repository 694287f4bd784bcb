import type * as z from "zod";
import {
  bareNotifyFrameSchema,
  bareReceiptFrameSchema,
  notifyFrameSchema,
  receiptFrameSchema,
  receiptsFrameSchema,
} from "./delivery-frames.js";
import {
  bareHelloFrameSchema,
  bareWelcomeFrameSchema,
  helloFrameSchema,
  welcomeFrameSchema,
} from "./handshake-frames.js";
import { deltaFrameSchema, hintFrameSchema } from "./live-frames.js";
import {
  barePingFrameSchema,
  barePongFrameSchema,
  pingFrameSchema,
  pongFrameSchema,
} from "./liveness-frames.js";
import {
  bareErrorFrameSchema,
  bareRequestFrameSchema,
  bareResponseFrameSchema,
  errorFrameSchema,
  requestFrameSchema,
  responseFrameSchema,
} from "./request-frames.js";

/** Frames that a hub may receive on a bare connection, by kind. Unknown fields are refused. */
export const bareClientFrameSchemas = {
  hello: bareHelloFrameSchema,
  ping: barePingFrameSchema,
  pong: barePongFrameSchema,
  request: bareRequestFrameSchema,
  receipt: bareReceiptFrameSchema,
};

/** Frames that a client may receive on a bare connection, by kind. Unknown fields are refused. */
export const bareHubFrameSchemas = {
  welcome: bareWelcomeFrameSchema,
  ping: barePingFrameSchema,
  pong: barePongFrameSchema,
  response: bareResponseFrameSchema,
  error: bareErrorFrameSchema,
  notify: bareNotifyFrameSchema,
};

/** Frames that a hub may receive under `colloquy.v1`, by kind. Unknown fields are passed over. */
export const clientFrameSchemas = {
  hello: helloFrameSchema,
  ping: pingFrameSchema,
  pong: pongFrameSchema,
  request: requestFrameSchema,
  receipt: receiptFrameSchema,
  receipts: receiptsFrameSchema,
  delta: deltaFrameSchema,
};

/** Frames that a client may receive under `colloquy.v1`, by kind. Unknown fields are passed over. */
export const hubFrameSchemas = {
  welcome: welcomeFrameSchema,
  ping: pingFrameSchema,
  pong: pongFrameSchema,
  response: responseFrameSchema,
  error: errorFrameSchema,
  notify: notifyFrameSchema,
  delta: deltaFrameSchema,
  hint: hintFrameSchema,
};

type FrameOf<Schemas extends Record<string, z.ZodType>> = z.output<Schemas[keyof Schemas]>;

/** A frame from client to hub, of either profile; discriminated by `kind`. */
export type ClientFrame = FrameOf<typeof clientFrameSchemas>;
/** A frame from hub to client, of either profile; discriminated by `kind`. */
export type HubFrame = FrameOf<typeof hubFrameSchemas>;
/** Any frame of either profile and direction. */
export type Frame = ClientFrame | HubFrame;
/** Name of a frame. */
export type FrameKind = Frame["kind"];
