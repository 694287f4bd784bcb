import { UnavailableError } from "@colloquy/protocol";
import type { CoreContext } from "./context/core-context.js";
import { toSnapshot } from "./live/snapshot.js";

/** WebSocket close codes of a hub that goes away. */
const CLOSE_RESTART = 1012;
const CLOSE_GOING_AWAY = 1001;

/** How a hub ends. See `Hub.drain`, `Hub.close` and `Hub.closed`. */
export interface HubShutdown {
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly closed: Promise<void>;
  readonly isClosed: boolean;
}

/** Input of {@link createShutdown}. */
export interface ShutdownPorts {
  readonly context: CoreContext;
  /** Closes every connection with a WebSocket close code. */
  closeConnections(code: number, reason: string): void;
  /** Writes what the audit log has only counted so far. */
  flushAudit(): void;
  /** Ends the sweepers; resolves when none runs any more. */
  stopSweepers(): Promise<void>;
}

/** Makes the {@link HubShutdown} of a hub. */
export function createShutdown(ports: ShutdownPorts): HubShutdown {
  const { context } = ports;
  let closing: Promise<void> | null = null;
  let draining: Promise<void> | null = null;
  let isClosed = false;
  let tellClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });

  const endNow = async (): Promise<void> => {
    const { committer, delivery, deadlines, waiters, store, lifecycle } = context;
    context.accepting = false;
    ports.closeConnections(CLOSE_GOING_AWAY, "the hub has closed");
    waiters.rejectAll(new UnavailableError("the hub has closed while the channel was opening"));
    deadlines.stop();
    await ports.stopSweepers();
    await lifecycle.settled();
    await committer.flush();
    ports.flushAudit();
    delivery.stop();
    await delivery.closeRemoteProxies();
    writeSnapshots(context);
    await committer.flush();
    committer.stop();
    try {
      await store.close();
    } finally {
      isClosed = true;
      tellClosed();
    }
  };
  const close = (): Promise<void> => {
    closing ??= endNow();
    return closing;
  };
  const drainFirst = async (): Promise<void> => {
    context.accepting = false;
    await withinTime(context, context.committer.flush());
    ports.closeConnections(CLOSE_RESTART, "the hub restarts");
    await close();
  };
  return {
    close,
    drain() {
      draining ??= drainFirst();
      return draining;
    },
    closed,
    get isClosed() {
      return isClosed;
    },
  };
}

/** Channels that have grown since their newest snapshot start from here next time. */
function writeSnapshots({ channels, committer, logger }: CoreContext): void {
  for (const live of channels.inMemory()) {
    const isSettled = live.committed === live.head.position;
    if (live.adapter === null || !isSettled || live.committed <= live.snapshotAt) continue;
    const snapshot = toSnapshot(logger, live, live.head);
    if (snapshot !== null) committer.lazily({ snapshots: [snapshot] });
  }
}

async function withinTime({ clock, limits }: CoreContext, work: Promise<void>): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    const timer = clock.setTimer(limits.drainTimeoutMs, resolve);
    cancel = () => timer.cancel();
  });
  await Promise.race([work, late]);
  cancel();
}
