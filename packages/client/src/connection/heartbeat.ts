import type { Clock, Timer } from "@colloquy/protocol";

/** Beats that may be missed before the far side is taken for dead. */
const MISSED_BEATS = 2;

/** Watches that the far side of a connection is there. */
export interface Heartbeat {
  /** Something was received. */
  heard(): void;
  /** Something was sent. */
  sent(): void;
  /** Sets the interval, in milliseconds; 0 switches it off. */
  setInterval(intervalMs: number): void;
  stop(): void;
}

/** Input of {@link createHeartbeat}. */
export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  ping(): void;
  /** The far side kept silent; called once. */
  onSilent(): void;
}

/**
 * Pings after an interval without traffic in either direction, and gives the far side up after two
 * silent intervals in a row.
 *
 * Time in which this process itself stood still does not count: a beat that comes late by more than
 * half an interval is no proof of silence, because what arrived meanwhile has not been read yet.
 */
export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock } = options;
  let intervalMs = options.intervalMs;
  let timer: Timer | null = null;
  let armedAt = 0;
  let missed = 0;
  let hasHeard = false;
  let hasSent = false;

  const arm = (): void => {
    timer?.cancel();
    timer = null;
    if (intervalMs <= 0) return;
    armedAt = clock.now();
    timer = clock.setTimer(intervalMs, beat);
  };
  const beat = (): void => {
    const isLate = clock.now() - armedAt > intervalMs * 1.5;
    if (hasHeard) missed = 0;
    else if (!isLate) missed += 1;
    const mustPing = !hasHeard || !hasSent;
    hasHeard = false;
    hasSent = false;
    if (missed >= MISSED_BEATS) {
      timer = null;
      intervalMs = 0;
      options.onSilent();
      return;
    }
    arm();
    if (mustPing) options.ping();
  };

  arm();
  return {
    heard() {
      hasHeard = true;
    },
    sent() {
      hasSent = true;
    },
    setInterval(ms) {
      if (ms === intervalMs) return;
      intervalMs = ms;
      arm();
    },
    stop() {
      intervalMs = 0;
      timer?.cancel();
      timer = null;
    },
  };
}
