import type { Clock, Timer } from "@colloquy/protocol";

/** One socket as the heartbeat sees it. */
export interface Beating {
  /** Bytes that have come in so far; any change counts as a sign of life. */
  readonly bytesRead: number;
  ping(): void;
  /** Cuts the socket at once: there is nobody to close it with. */
  cut(): void;
}

/** Pings sockets and cuts those from which nothing comes. */
export interface Heartbeat {
  add(socket: Beating): void;
  remove(socket: Beating): void;
  stop(): void;
}

interface Sign {
  bytesRead: number;
  missed: number;
}

/** Beats without a sign of life after which a socket is cut. */
const GRACE_BEATS = 2;

/**
 * Makes a heartbeat with one timer for all sockets.
 *
 * Every beat pings; a socket is cut at the second beat in a row before which nothing came in. A
 * beat that comes late by more than half of its interval judges nobody, because the hub itself was
 * not listening; and before judging, what has arrived in the meantime is read.
 *
 * @param intervalMs - milliseconds between beats; 0 makes a heartbeat that never beats
 */
export function createHeartbeat(clock: Clock, intervalMs: number): Heartbeat {
  const signs = new Map<Beating, Sign>();
  let timer: Timer | null = null;
  let dueAt = 0;
  let stopped = false;

  const arm = (): void => {
    if (timer !== null || stopped || intervalMs <= 0 || signs.size === 0) return;
    dueAt = clock.now() + intervalMs;
    timer = clock.setTimer(intervalMs, beat);
  };
  const beat = (): void => {
    const wasBlocked = clock.now() - dueAt > intervalMs / 2;
    // Input that is waiting is handled before immediates, so it counts.
    setImmediate(() => {
      timer = null;
      if (stopped) return;
      for (const [socket, sign] of [...signs]) judge(socket, sign, wasBlocked);
      arm();
    });
  };
  const judge = (socket: Beating, sign: Sign, wasBlocked: boolean): void => {
    const { bytesRead } = socket;
    if (bytesRead !== sign.bytesRead) sign.missed = 0;
    else if (!wasBlocked) sign.missed += 1;
    sign.bytesRead = bytesRead;
    if (sign.missed < GRACE_BEATS) socket.ping();
    else socket.cut();
  };

  return {
    add(socket) {
      signs.set(socket, { bytesRead: socket.bytesRead, missed: 0 });
      arm();
    },
    remove: (socket) => void signs.delete(socket),
    stop() {
      stopped = true;
      timer?.cancel();
      signs.clear();
    },
  };
}
