import type { Clock } from "@colloquy/protocol";
import type { WebSocketConstructor, WebSocketLike } from "./web-socket-like.js";

/** A dial that did not lead to an open socket. */
export class DialError extends Error {
  override readonly name = "DialError";
  /** True when the server may just have left out the subprotocol. */
  readonly mayBeSubprotocol: boolean;

  constructor(message: string, mayBeSubprotocol: boolean, options?: ErrorOptions) {
    super(message, options);
    this.mayBeSubprotocol = mayBeSubprotocol;
  }
}

/** Input of {@link dialSocket}. */
export interface Dial {
  readonly webSocket: WebSocketConstructor;
  readonly url: string;
  /** Subprotocol to ask for; null for none. */
  readonly subprotocol: string | null;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Dials once and resolves with an open socket whose handlers are free to be set.
 *
 * Rejects with a {@link DialError}, or with the signal's reason. A socket that did not open in time
 * is closed.
 */
export function dialSocket(dial: Dial): Promise<WebSocketLike> {
  const { webSocket, url, subprotocol, clock, timeoutMs, signal } = dial;
  return new Promise((resolve, reject) => {
    const socket = subprotocol === null ? new webSocket(url) : new webSocket(url, [subprotocol]);
    socket.binaryType = "arraybuffer";
    let error: unknown;
    let detail = "";

    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", onAbort);
      socket.onopen = null;
      socket.onclose = null;
    };
    const giveUp = (reason: unknown): void => {
      end();
      // A socket that is still dialling reports its end as an error that nobody waits for.
      socket.onerror = () => undefined;
      socket.close();
      reject(reason);
    };
    const onAbort = (): void => giveUp(signal.reason);
    const timer = clock.setTimer(timeoutMs, () =>
      giveUp(new DialError(`${url} did not open within ${timeoutMs} ms`, false)),
    );
    signal.addEventListener("abort", onAbort);

    socket.onerror = (event) => {
      error = event.error;
      if (typeof event.message === "string") detail = event.message;
    };
    socket.onopen = () => {
      end();
      resolve(socket);
    };
    socket.onclose = ({ code }) => {
      end();
      const text = detail === "" ? `closed with ${code}` : detail;
      const mayBe = subprotocol !== null && (detail === "" || /subprotocol/i.test(detail));
      reject(new DialError(`cannot reach ${url}: ${text}`, mayBe, { cause: error }));
    };
  });
}
