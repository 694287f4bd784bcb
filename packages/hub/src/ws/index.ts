/** Serves a hub over WebSocket. The only part of the hub that listens. */
export type { ServeCounters } from "./counters.js";
export type { OperatorPage } from "./operator-page.js";
export { authorizeRequest, type GatedHub, requireOperatorHost } from "./operator-request.js";
export type { ServeOptions } from "./options.js";
export {
  type ServedHub,
  serveWebSocket,
  type WebSocketServerHandle,
} from "./serve-web-socket.js";
