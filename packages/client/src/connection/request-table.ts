import {
  type Clock,
  errorFromWire,
  type RequestFrame,
  type ResponseFrame,
  type Timer,
  TooLargeError,
  type WireProfile,
} from "@colloquy/protocol";
import { ClientError } from "../errors.js";
import { createAbortWatch } from "./abort-watch.js";
import type { Call } from "./call.js";

/** How often a repeatable request is sent before it fails with the connection. */
const MAX_SENDS = 5;
/** WebSocket close code of a peer that got a larger message than it takes. */
const MESSAGE_TOO_BIG = 1009;

/** How one call is treated. */
export interface CallOptions {
  /** Milliseconds until it fails, waiting for a connection included; default that of the client. */
  readonly timeoutMs?: number | undefined;
  /** The time counts only while the request is with the hub, so a break of any length is waited for. */
  readonly patient?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where requests go. */
export interface RequestSink {
  readonly profile: WireProfile;
  send(frame: RequestFrame): void;
}

/** Requests that have no answer yet. */
export interface RequestTable {
  readonly size: number;
  /** Takes a call up and sends it as soon as there is a sink. */
  call<T>(call: Call<T>, options?: CallOptions): Promise<T>;
  /** A connection is ready: sends what waits, in order. */
  open(sink: RequestSink): void;
  answer(frame: ResponseFrame): void;
  /** Fails one request. Returns false when it is unknown. */
  refuse(requestId: string, error: Error): boolean;
  /**
   * The connection is gone: repeatable requests wait for the next one, the others fail. When a
   * message too big (1009) ends one connection after another, the largest request fails each time.
   */
  lost(code: number, reason: string): void;
  /** Fails everything, now and from now on. */
  end(error: Error): void;
}

interface Pending {
  readonly id: string;
  readonly call: Call<unknown>;
  readonly options: CallOptions;
  readonly timeoutMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Profile under which it is on its way; null while it waits. */
  sentUnder: WireProfile | null;
  sends: number;
  timer: Timer | null;
  /** True when it was under way as a connection was closed over a message too big. */
  suspect: boolean;
}

/** Input of {@link createRequestTable}. */
export interface RequestTableOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Says why there is no connection, for the error of a request that timed out waiting. */
  readonly whyWaiting: () => string;
}

/** Makes a {@link RequestTable}. Ids are never used twice, so an answer cannot meet another request. */
export function createRequestTable(table: RequestTableOptions): RequestTable {
  const { clock, whyWaiting } = table;
  const pending = new Map<string, Pending>();
  const watch = createAbortWatch();
  let count = 0;
  let sink: RequestSink | null = null;
  let ended: Error | null = null;

  const take = (id: string): Pending | undefined => {
    const entry = pending.get(id);
    if (entry === undefined) return undefined;
    pending.delete(id);
    entry.timer?.cancel();
    return entry;
  };
  const expire = (entry: Pending): void => {
    const where = entry.sentUnder === null ? ` (${whyWaiting()})` : "";
    const text = `${entry.call.name}: no answer within ${entry.timeoutMs} ms${where}`;
    take(entry.id)?.reject(new ClientError("client/timed_out", text));
  };
  const arm = (entry: Pending): void => {
    entry.timer ??= clock.setTimer(entry.timeoutMs, () => expire(entry));
  };
  const send = (entry: Pending, to: RequestSink): void => {
    try {
      const { op, params } = entry.call.request(to.profile);
      entry.sentUnder = to.profile;
      entry.sends += 1;
      arm(entry);
      to.send({ kind: "request", request_id: entry.id, op, params: { ...params } });
    } catch (error) {
      take(entry.id)?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  /** Fails the largest of those that were under way at such a close before; the others are innocent. */
  const failLargest = (underWay: readonly Pending[]): void => {
    const suspects = underWay.filter(({ suspect }) => suspect);
    for (const entry of underWay) {
      // What somebody else has broken off is not held against a request.
      if (entry.suspect) entry.sends -= 1;
      entry.suspect = true;
    }
    const [largest] = suspects.sort((a, b) => sizeOf(b) - sizeOf(a));
    if (largest === undefined) return;
    take(largest.id)?.reject(
      new TooLargeError(`${largest.call.name}: the connection was closed over a message too big`),
    );
  };
  const loseOne = (entry: Pending, code: number, reason: string): void => {
    const profile = entry.sentUnder;
    if (profile === null) return;
    if (!entry.call.repeatable(profile) || entry.sends >= MAX_SENDS) {
      take(entry.id)?.reject(connectionLost(entry.call.name, code, reason));
      return;
    }
    entry.sentUnder = null;
    if (entry.options.patient !== true) return;
    entry.timer?.cancel();
    entry.timer = null;
  };

  return {
    get size() {
      return pending.size;
    },
    call<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
      const { signal } = options;
      return new Promise<T>((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        if (signal?.aborted) {
          reject(aborted(call.name, signal));
          return;
        }
        const id = String(count);
        count += 1;
        const settle =
          signal === undefined
            ? (): void => undefined
            : watch(signal, () => take(id)?.reject(aborted(call.name, signal)));
        const entry: Pending = {
          id,
          call,
          options,
          timeoutMs: options.timeoutMs ?? table.timeoutMs,
          resolve: (value) => {
            settle();
            resolve(value as T);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
          sentUnder: null,
          sends: 0,
          timer: null,
          suspect: false,
        };
        pending.set(id, entry);
        if (options.patient !== true) arm(entry);
        if (sink !== null) send(entry, sink);
      });
    },
    open(next) {
      sink = next;
      for (const entry of [...pending.values()]) {
        if (entry.sentUnder === null) send(entry, next);
      }
    },
    answer(frame) {
      const entry = take(frame.request_id);
      if (entry === undefined) return;
      if (!frame.ok) {
        entry.reject(errorFromWire(frame.error_code, frame.error_message, frame.error_details));
        return;
      }
      try {
        entry.resolve(entry.call.result(frame.result, entry.sentUnder ?? "ag2"));
      } catch (error) {
        entry.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
    refuse(requestId, error) {
      const entry = take(requestId);
      entry?.reject(error);
      return entry !== undefined;
    },
    lost(code, reason) {
      sink = null;
      const isUnderWay = ({ sentUnder }: Pending): boolean => sentUnder !== null;
      if (code === MESSAGE_TOO_BIG) failLargest([...pending.values()].filter(isUnderWay));
      for (const entry of [...pending.values()]) loseOne(entry, code, reason);
    },
    end(error) {
      ended = error;
      sink = null;
      for (const id of [...pending.keys()]) take(id)?.reject(error);
    },
  };
}

/** Characters of its parameters as JSON. */
function sizeOf({ call, sentUnder }: Pending): number {
  return JSON.stringify(call.request(sentUnder ?? "ag2").params).length;
}

function connectionLost(name: string, code: number, reason: string): ClientError {
  const why = reason === "" ? String(code) : `${code}, ${reason}`;
  const text = `${name}: the connection broke (${why}) before the hub answered`;
  return new ClientError("client/connection_lost", text);
}

function aborted(name: string, signal: AbortSignal): ClientError {
  return new ClientError("client/aborted", `${name}: aborted`, { cause: signal.reason });
}
