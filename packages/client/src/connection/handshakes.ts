import type { HelloFrame, WelcomeFrame } from "@colloquy/protocol";

/** The hellos of one connection. */
export interface Handshakes {
  /** Sends a hello once those before it are answered; resolves with its welcome. */
  hello(frame: HelloFrame): Promise<WelcomeFrame>;
  /** Gives a welcome to the hello that waits. */
  welcome(frame: WelcomeFrame): void;
  /** Fails the hello that waits. Returns false when none does. */
  refuse(error: Error): boolean;
  /** Fails all of them. */
  end(error: Error): void;
}

interface Waiting {
  readonly frame: HelloFrame;
  readonly resolve: (frame: WelcomeFrame) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Makes {@link Handshakes}.
 *
 * An answer does not say which hello it answers, so only one is under way at a time.
 *
 * @param send - takes a hello that may go out
 */
export function createHandshakes(send: (frame: HelloFrame) => void): Handshakes {
  const queue: Waiting[] = [];
  let ended: Error | null = null;
  const settleFirst = (): Waiting | undefined => {
    const first = queue.shift();
    const next = queue[0];
    if (next !== undefined) send(next.frame);
    return first;
  };
  return {
    hello(frame) {
      return new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        queue.push({ frame, resolve, reject });
        if (queue.length === 1) send(frame);
      });
    },
    welcome(frame) {
      settleFirst()?.resolve(frame);
    },
    refuse(error) {
      const first = settleFirst();
      first?.reject(error);
      return first !== undefined;
    },
    end(error) {
      ended = error;
      for (const waiting of queue.splice(0)) waiting.reject(error);
    },
  };
}
