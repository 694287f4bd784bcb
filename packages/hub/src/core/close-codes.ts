/** WebSocket close codes that a hub gives itself; 1001, 1009 and their like keep their usual sense. */
export const CLOSE_CODES = {
  /** Nobody was bound and no request was accepted for too long. */
  helloTimeout: 4001,
  /** There are too many connections without a bound agent. */
  tooManyUnbound: 4003,
  /** The far side reads slower than it is sent to; it may come back and resume. */
  slowReader: 4008,
  /** Bare profile only: another connection speaks for the one agent that this one spoke for. Do not come back. */
  replaced: 4009,
  /** The credential behind the last binding has expired or was revoked; come back with another one. */
  credentialEnded: 4010,
  /** The hub is draining or has closed; come back later. */
  restarting: 1012,
} as const;
