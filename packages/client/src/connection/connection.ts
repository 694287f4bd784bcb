import type {
  Clock,
  DeltaFrame,
  HintFrame,
  Link,
  LinkClosed,
  Logger,
  NotifyFrame,
  WireProfile,
} from "@colloquy/protocol";
import { ClientError, messageOf } from "../errors.js";
import type { Call } from "./call.js";
import { attemptsAfter, type ReconnectPolicy, reconnectDelayMs } from "./reconnect-policy.js";
import { type CallOptions, createRequestTable } from "./request-table.js";
import { openSession, type Session } from "./session.js";
import { type ConnectionStatus, createStatusFeed } from "./status.js";
import { createWaits } from "./waits.js";

/** What a connection asks of its owner, and tells it. */
export interface ConnectionHandlers {
  /** A session is up and nobody is bound to it yet. Requests wait until this has resolved. */
  onSession(session: Session): Promise<void>;
  onNotify(frame: NotifyFrame): void;
  onDelta(frame: DeltaFrame): void;
  onHint(frame: HintFrame): void;
  /** A session has ended; called before anything is dialled again. */
  onEnd(how: LinkClosed): void;
  /** True while somebody needs the hub, so that a lost link is dialled again by itself. */
  isNeeded(): boolean;
}

/** Input of {@link createConnection}. */
export interface ConnectionOptions {
  readonly link: Link;
  readonly clock: Clock;
  /** Time between two dials; apart, so that waiting for a hub need not keep a process alive. */
  readonly pauseClock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly requestTimeoutMs: number;
  readonly heartbeatMs: number;
  /** Null: the first failure or the first close ends it. */
  readonly reconnect: ReconnectPolicy | null;
  readonly handlers: ConnectionHandlers;
}

/** A link that is kept up: it dials when needed, reconnects and sends again what may be sent again. */
export interface Connection {
  readonly isClosed: boolean;
  /** The session that is open now; null for none. */
  readonly session: Session | null;
  /** Profile of the latest session; null before the first. */
  readonly profile: WireProfile | null;
  readonly status: ConnectionStatus;
  follow(): AsyncIterableIterator<ConnectionStatus>;
  call<T>(call: Call<T>, options?: CallOptions): Promise<T>;
  /** Dials if necessary; resolves with an open session. */
  ready(timeoutMs?: number): Promise<Session>;
  /** Ends it for good. */
  close(reason?: string): void;
  /** Resolves when it has ended for good. */
  readonly closed: Promise<LinkClosed>;
}

/** Makes a {@link Connection}. It dials at the first need. */
export function createConnection(options: ConnectionOptions): Connection {
  const { link, clock, logger, reconnect, handlers } = options;
  const feed = createStatusFeed();
  const waits = createWaits(clock);
  const stop = new AbortController();
  let session: Session | null = null;
  let profile: WireProfile | null = null;
  let isRunning = false;
  let attempts = 0;
  let holdBackMs = 0;
  let lastReason = "not dialled yet";
  let resolveClosed: (closed: LinkClosed) => void = () => undefined;
  const closed = new Promise<LinkClosed>((resolve) => {
    resolveClosed = resolve;
  });

  const table = createRequestTable({
    clock,
    timeoutMs: options.requestTimeoutMs,
    whyWaiting: () => `not connected: ${lastReason}`,
  });

  const finish = (how: LinkClosed, error: ClientError): void => {
    if (stop.signal.aborted) return;
    stop.abort(error);
    feed.set({ state: "closed", attempt: attempts, reason: how.reason });
    table.end(error);
    waits.end(error);
    const last = session;
    session = null;
    last?.end(how.code, how.reason);
    resolveClosed(how);
  };

  const dial = async (): Promise<Session | null> => {
    const state = profile === null ? "connecting" : "reconnecting";
    feed.set({ state, attempt: attempts, reason: lastReason });
    try {
      return await openSession({
        link,
        clock,
        logger,
        signal: stop.signal,
        heartbeatMs: options.heartbeatMs,
        handlers: {
          onNotify: handlers.onNotify,
          onDelta: handlers.onDelta,
          onHint(frame) {
            if (frame.hint === "drain" || frame.hint === "retry_after") {
              holdBackMs = frame.retry_after_ms ?? 0;
            }
            handlers.onHint(frame);
          },
          onResponse: (frame) => table.answer(frame),
          onRequestError: (id, error) => void table.refuse(id, error),
        },
      });
    } catch (error) {
      lastReason = messageOf(error);
      return null;
    }
  };

  /** One link from its dial to its end. */
  const live = async (): Promise<LinkClosed> => {
    const dialled = await dial();
    if (dialled === null) {
      attempts += 1;
      return { code: 1006, reason: lastReason };
    }
    if (stop.signal.aborted) {
      dialled.end(1000, "closed by the client");
      return dialled.closed;
    }
    const upSince = clock.now();
    profile = dialled.profile;
    session = dialled;
    await Promise.race([handlers.onSession(dialled), dialled.closed]);
    if (dialled.isUp) {
      feed.set({ state: "open", attempt: attempts, reason: "" });
      table.open({ profile: dialled.profile, send: dialled.send });
      waits.open(dialled);
    }
    const how = await dialled.closed;
    if (session === dialled) session = null;
    handlers.onEnd(how);
    waits.shut();
    table.lost(how.code, how.reason);
    if (reconnect !== null) attempts = attemptsAfter(reconnect, attempts, clock.now() - upSince);
    lastReason = how.reason === "" ? `closed with ${how.code}` : how.reason;
    return how;
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const how = await live();
      if (stop.signal.aborted) return;
      if (reconnect === null) {
        const text = `the hub client is closed: ${lastReason}`;
        return finish(
          how,
          new ClientError(profile === null ? "client/unreachable" : "client/closed", text),
        );
      }
      if (!handlers.isNeeded() && table.size === 0 && waits.size === 0) {
        isRunning = false;
        feed.set({ state: "idle", attempt: attempts, reason: lastReason });
        return;
      }
      const delayMs =
        holdBackMs + reconnectDelayMs(reconnect, Math.max(0, attempts - 1), options.random());
      holdBackMs = 0;
      feed.set({ state: "reconnecting", attempt: attempts, reason: lastReason });
      await pause(options.pauseClock, delayMs, stop.signal);
    }
  };
  const start = (): void => {
    if (isRunning || stop.signal.aborted) return;
    isRunning = true;
    run().catch((error: unknown) => {
      const text = `the connection failed: ${messageOf(error)}`;
      logger.error({ error: messageOf(error) }, "the connection failed");
      finish(
        { code: 1006, reason: text },
        new ClientError("client/closed", text, { cause: error }),
      );
    });
  };

  return {
    closed,
    get isClosed() {
      return stop.signal.aborted;
    },
    get session() {
      return session?.isUp === true ? session : null;
    },
    get profile() {
      return profile;
    },
    get status() {
      return feed.current;
    },
    follow: () => feed.follow(),
    call(call, callOptions) {
      const answer = table.call(call, callOptions);
      start();
      return answer;
    },
    ready(timeoutMs = options.requestTimeoutMs) {
      const waiting = waits.session(timeoutMs, () => lastReason);
      start();
      return waiting;
    },
    close(reason = "closed by the client") {
      finish(
        { code: 1000, reason },
        new ClientError("client/closed", `the hub client is closed: ${reason}`),
      );
    },
  };
}

/** Waits, or returns at once when the signal is aborted. */
function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.setTimer(delayMs, end);
    signal.addEventListener("abort", end);
  });
}
