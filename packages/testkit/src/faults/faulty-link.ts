import type {
  ClientFrame,
  Clock,
  HubFrame,
  Link,
  LinkConnection,
  LinkHandlers,
} from "@colloquy/protocol";
import { createRandom } from "./random.js";

/** Which way a frame goes. */
export type LinkDirection = "to_hub" | "to_client";

/** Chances from 0 to 1, drawn per frame. */
export interface LinkFaultRates {
  /** The connection is cut instead of passing the frame on. */
  readonly cut?: number | undefined;
  /** The frame is held back for up to so many milliseconds; needs a clock. */
  readonly delayMs?: number | undefined;
}

/** Options of {@link faultyLink}. */
export interface FaultyLinkOptions {
  /** Decides what is drawn; default 1. */
  readonly seed?: number | undefined;
  /** Time for delays. */
  readonly clock?: Clock | undefined;
}

/** A link whose faults a test commands. */
export interface FaultyLink extends Link {
  /** How often it was dialled. */
  readonly dials: number;
  /** Connections that are open through it. */
  readonly open: number;
  /** Frames that were lost by `drop`. */
  readonly dropped: number;
  /** Ends every open connection with 1006, without a goodbye. */
  cut(): void;
  /** The network vanishes: nothing passes in either direction, and nobody is told. */
  freeze(): void;
  /** The network is back; what was sent meanwhile arrives. */
  thaw(): void;
  /** The next so many dials fail. */
  refuse(times: number, error?: Error): void;
  /** Dials succeed again. */
  allow(): void;
  /** Loses the next so many frames of a direction that meet the predicate; by default the very next ones. */
  drop(direction: LinkDirection, times: number, match?: FrameMatch): void;
  /** Draws faults from now on; `{}` ends that. */
  randomly(rates: LinkFaultRates): void;
}

/** Picks frames. */
export type FrameMatch = (frame: ClientFrame | HubFrame) => boolean;

interface PlannedDrop {
  readonly direction: LinkDirection;
  readonly match: FrameMatch;
  times: number;
}

/**
 * Wraps a link in faults: cuts, a network that vanishes, lost frames, delays, hubs that cannot be
 * reached. Frames that pass keep their order.
 */
export function faultyLink(inner: Link, options: FaultyLinkOptions = {}): FaultyLink {
  const random = createRandom(options.seed ?? 1);
  const { clock } = options;
  const lines = new Set<Line>();
  const refusals: Error[] = [];
  const thawing: (() => void)[] = [];
  let drops: PlannedDrop[] = [];
  let rates: LinkFaultRates = {};
  let dials = 0;
  let dropped = 0;
  let isFrozen = false;

  const isDropped = (direction: LinkDirection, frame: ClientFrame | HubFrame): boolean => {
    const plan = drops.find((drop) => drop.direction === direction && drop.match(frame));
    if (plan === undefined) return false;
    dropped += 1;
    plan.times -= 1;
    if (plan.times <= 0) drops = drops.filter((drop) => drop !== plan);
    return true;
  };
  const untilThawed = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      thawing.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const rules: LineRules = {
    isFrozen: () => isFrozen,
    onThaw: (action) => void thawing.push(action),
    isDropped,
    isCut: () => random() < (rates.cut ?? 0),
    delayMs: () => Math.floor(random() * (rates.delayMs ?? 0)),
    clock,
  };

  return {
    remote: inner.remote,
    get dials() {
      return dials;
    },
    get open() {
      return lines.size;
    },
    get dropped() {
      return dropped;
    },
    async connect(handlers, signal) {
      dials += 1;
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      if (isFrozen) await untilThawed(signal);
      const line = createLine(handlers, rules, () => lines.delete(line));
      lines.add(line);
      try {
        return line.adopt(await inner.connect(line.handlers, signal));
      } catch (error) {
        lines.delete(line);
        throw error;
      }
    },
    cut() {
      for (const line of [...lines]) line.cut();
    },
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
      for (const wake of thawing.splice(0)) wake();
      for (const line of [...lines]) line.flush();
    },
    refuse(times, error = new Error("the hub cannot be reached")) {
      for (let time = 0; time < times; time += 1) refusals.push(error);
    },
    allow() {
      refusals.length = 0;
    },
    drop(direction, times, match = () => true) {
      drops.push({ direction, match, times });
    },
    randomly(next) {
      rates = next;
    },
  };
}

interface LineRules {
  isFrozen(): boolean;
  onThaw(action: () => void): void;
  isDropped(direction: LinkDirection, frame: ClientFrame | HubFrame): boolean;
  isCut(): boolean;
  delayMs(): number;
  readonly clock: Clock | undefined;
}

interface Line {
  readonly handlers: LinkHandlers;
  adopt(connection: LinkConnection): LinkConnection;
  cut(): void;
  flush(): void;
}

/** One connection, with a queue of what has not passed yet, in each direction in order. */
function createLine(outer: LinkHandlers, rules: LineRules, onEnd: () => void): Line {
  const queue: Record<LinkDirection, (() => void)[]> = { to_hub: [], to_client: [] };
  const held: Record<LinkDirection, number> = { to_hub: 0, to_client: 0 };
  let connection: LinkConnection | null = null;
  let ended = false;

  const drain = (direction: LinkDirection): void => {
    while (!ended && !rules.isFrozen() && held[direction] === 0) {
      const pass = queue[direction].shift();
      if (pass === undefined) return;
      pass();
    }
  };
  const hold = (direction: LinkDirection): void => {
    const delayMs = rules.delayMs();
    if (delayMs === 0 || rules.clock === undefined) return;
    held[direction] += 1;
    rules.clock.setTimer(delayMs, () => {
      held[direction] -= 1;
      drain(direction);
    });
  };
  const end = (code: number, reason: string): void => {
    if (ended) return;
    ended = true;
    onEnd();
    outer.onClosed({ code, reason });
  };
  const cut = (): void => {
    end(1006, "the connection was cut");
    connection?.close(1000, "cut");
  };
  const enqueue = (
    direction: LinkDirection,
    frame: ClientFrame | HubFrame,
    pass: () => void,
  ): void => {
    if (ended || rules.isDropped(direction, frame)) return;
    if (rules.isCut()) {
      cut();
      return;
    }
    hold(direction);
    queue[direction].push(pass);
    drain(direction);
  };

  return {
    cut,
    flush() {
      drain("to_hub");
      drain("to_client");
    },
    handlers: {
      onFrame: (frame) => enqueue("to_client", frame, () => outer.onFrame(frame)),
      onBadFrame: (error) => outer.onBadFrame(error),
      onClosed({ code, reason }) {
        queue.to_client.push(() => end(code, reason));
        drain("to_client");
      },
    },
    adopt(opened) {
      connection = opened;
      return {
        profile: opened.profile,
        get bufferedBytes() {
          return opened.bufferedBytes;
        },
        send: (frame) => enqueue("to_hub", frame, () => opened.send(frame)),
        close(code, reason) {
          if (ended) return;
          // While the network is gone the hub does not hear of it either.
          if (rules.isFrozen()) rules.onThaw(() => opened.close(code, reason));
          else opened.close(code, reason);
          end(code ?? 1000, reason ?? "");
        },
      };
    },
  };
}
