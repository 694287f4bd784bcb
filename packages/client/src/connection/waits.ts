import type { Clock } from "@colloquy/protocol";
import { ClientError } from "../errors.js";
import type { Session } from "./session.js";

/** Those who wait for an open session. */
export interface Waits {
  readonly size: number;
  /** Resolves with the open session; rejects when none came in time. */
  session(timeoutMs: number, whyWaiting: () => string): Promise<Session>;
  open(session: Session): void;
  /** The session is gone; those who come now wait for the next. */
  shut(): void;
  /** Fails everybody, now and from now on. */
  end(error: Error): void;
}

/** Makes {@link Waits}. */
export function createWaits(clock: Clock): Waits {
  const waiting = new Set<{ resolve(session: Session): void; reject(error: Error): void }>();
  let present: Session | null = null;
  let ended: Error | null = null;
  return {
    get size() {
      return waiting.size;
    },
    session(timeoutMs, whyWaiting) {
      return new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        if (present?.isUp) return resolve(present);
        const timer = clock.setTimer(timeoutMs, () => {
          const text = `no connection to the hub within ${timeoutMs} ms: ${whyWaiting()}`;
          entry.reject(new ClientError("client/timed_out", text));
        });
        const entry = {
          resolve(session: Session) {
            timer.cancel();
            waiting.delete(entry);
            resolve(session);
          },
          reject(error: Error) {
            timer.cancel();
            waiting.delete(entry);
            reject(error);
          },
        };
        waiting.add(entry);
      });
    },
    open(session) {
      present = session;
      for (const entry of [...waiting]) entry.resolve(session);
    },
    shut() {
      present = null;
    },
    end(error) {
      ended = error;
      present = null;
      for (const entry of [...waiting]) entry.reject(error);
    },
  };
}
