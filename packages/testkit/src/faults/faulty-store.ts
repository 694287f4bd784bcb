import { type Clock, type Store, StoreError, type StoreHealth } from "@colloquy/protocol";
import { createFaultPlan, type FaultRates, type StoreMethod } from "./fault-plan.js";

/** Options of {@link faulty}. */
export interface FaultyStoreOptions {
  /** Decides what `randomly` draws; an integer, default 1. */
  readonly seed?: number;
  /** Time for `delayNext`. */
  readonly clock?: Clock;
  /** Called once at the moment of a crash, for example to crash a memory store as well. */
  readonly onCrash?: () => void;
}

/** Where a crash may be planned: before a call reaches the store, or after it was done and before anybody is told. */
export type CrashPoint = `${StoreMethod}:before` | `${StoreMethod}:after`;

/** A method that is held up. */
export interface Blockade {
  /** Calls that wait. */
  readonly waiting: number;
  /** Lets the waiting calls and all later ones through; harmless when repeated. */
  release(): void;
}

/** A store that does as it is told: everything is passed on until a fault is planned. */
export interface FaultyStore extends Store {
  /** How often a method was called, failed calls included. */
  calls(method: StoreMethod): number;
  /** The next `count` calls (default 1) reject and do not reach the store. Default error: `StoreError`, disk full. */
  failNext(method: StoreMethod, count?: number, makeError?: () => Error): void;
  /** The next `count` calls (default 1) reach the store only after so many milliseconds of the clock. */
  delayNext(method: StoreMethod, delayMs: number, count?: number): void;
  /** Calls wait until the blockade is released. */
  block(method: StoreMethod): Blockade;
  /** The next `count` commits (default 1) reject with an unknown outcome: the batch was `written`, or it was `lost`. */
  tearNext(outcome: "written" | "lost", count?: number): void;
  /**
   * Dies at the point, in the `nth` call from now on (default 1): that call never settles, later ones
   * reject, `close` does nothing.
   */
  crashAt(point: CrashPoint, nth?: number): void;
  readonly crashed: boolean;
  /** From now on each call of a method fails or is torn with these chances, drawn from the seed. */
  randomly(rates: FaultRates): void;
  /** Forgets every planned fault and releases every blockade. A crash cannot be undone. */
  heal(): void;
}

/**
 * Wraps a store so that a test decides how its calls end.
 *
 * Without a planned fault a call goes straight to the store and nothing differs. While a failed
 * commit is the newest one, `health` is that of a store whose commit failed.
 *
 * @param store - the store that does the work
 */
export function faulty(store: Store, options: FaultyStoreOptions = {}): FaultyStore {
  const { clock, onCrash = () => undefined } = options;
  const plan = createFaultPlan(options.seed ?? 1);
  const blockades = new Map<StoreMethod, Set<() => void>>();
  let crashed = false;
  let commitFailure = "";

  const noteCommit = (method: StoreMethod, failure: string): void => {
    if (method === "commit") commitFailure = failure;
  };
  const crash = (): Promise<never> => {
    if (!crashed) {
      crashed = true;
      onCrash();
    }
    return new Promise<never>(() => undefined);
  };
  const refuse = (method: StoreMethod, error: Error): Promise<never> => {
    noteCommit(method, error.message);
    return Promise.reject(error);
  };
  const delay = (delayMs: number): Promise<void> => {
    if (clock === undefined) throw new TypeError("delayNext needs the option clock");
    return new Promise((resolve) => void clock.setTimer(delayMs, resolve));
  };
  /** The store's own health tells of its own failures, so a planned one is over once it is reached. */
  const pass = async <T>(method: StoreMethod, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } finally {
      noteCommit(method, "");
    }
  };
  const run = async <T>(method: StoreMethod, call: () => Promise<T>): Promise<T> => {
    const waiting = blockades.get(method);
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.add(resolve));
    const fault = plan.next(method);
    if (crashed || fault.kind === "crash_before") return crash();
    if (fault.kind === "delay") await delay(fault.delayMs);
    if (fault.kind === "fail") return refuse(method, fault.makeError());
    if (fault.kind === "torn") {
      if (fault.outcome === "written") await pass(method, call);
      return refuse(method, tornError(fault.outcome));
    }
    const result = await pass(method, call);
    return fault.kind === "crash_after" ? crash() : result;
  };
  const through = <T>(method: StoreMethod, call: () => Promise<T>): Promise<T> => {
    plan.count(method);
    if (crashed) return refuse(method, new StoreError("the store has crashed"));
    if (blockades.has(method) || plan.isArmed(method)) return run(method, call);
    return method === "commit" ? pass(method, call) : call();
  };

  return {
    durability: store.durability,
    blocks: store.blocks,
    recover: () => through("recover", () => store.recover()),
    commit: (batch) => through("commit", () => store.commit(batch)),
    readWal: (id, range) => through("readWal", () => store.readWal(id, range)),
    readEnvelope: (id) => through("readEnvelope", () => store.readEnvelope(id)),
    readLog: (after, limit) => through("readLog", () => store.readLog(after, limit)),
    searchText: (search) => through("searchText", () => store.searchText(search)),
    readChannel: (id) => through("readChannel", () => store.readChannel(id)),
    listChannels: (filter) => through("listChannels", () => store.listChannels(filter)),
    readHead: (id) => through("readHead", () => store.readHead(id)),
    readSnapshot: (id) => through("readSnapshot", () => store.readSnapshot(id)),
    readRecord: (kind, id) => through("readRecord", () => store.readRecord(kind, id)),
    listRecords: (kind, after, limit) =>
      through("listRecords", () => store.listRecords(kind, after, limit)),
    readDeliveries: (agent, channel) =>
      through("readDeliveries", () => store.readDeliveries(agent, channel)),
    readAudit: (filter) => through("readAudit", () => store.readAudit(filter)),
    health(): StoreHealth {
      const health = store.health();
      if (crashed) return { ...health, healthy: false, reason: "the store has crashed" };
      return commitFailure === "" ? health : { ...health, healthy: false, reason: commitFailure };
    },
    async close() {
      plan.count("close");
      if (!crashed) await store.close();
    },
    calls: (method) => plan.calls(method),
    failNext: (method, count = 1, makeError = fullError) =>
      plan.add(method, { kind: "fail", makeError }, count),
    delayNext: (method, delayMs, count = 1) => plan.add(method, { kind: "delay", delayMs }, count),
    tearNext: (outcome, count = 1) => plan.add("commit", { kind: "torn", outcome }, count),
    crashAt(point, nth = 1) {
      const [method, side] = point.split(":") as [StoreMethod, "before" | "after"];
      plan.add(method, { kind: "none" }, nth - 1);
      plan.add(method, { kind: `crash_${side}` }, 1);
    },
    block(method) {
      const waiting = blockades.get(method) ?? new Set<() => void>();
      blockades.set(method, waiting);
      return {
        get waiting() {
          return waiting.size;
        },
        release() {
          if (blockades.get(method) === waiting) blockades.delete(method);
          for (const go of waiting) go();
          waiting.clear();
        },
      };
    },
    get crashed() {
      return crashed;
    },
    randomly: (rates) => plan.randomly(rates),
    heal() {
      plan.clear();
      const blocked = [...blockades.values()];
      blockades.clear();
      for (const waiting of blocked) for (const go of waiting) go();
    },
  };
}

function fullError(): Error {
  return new StoreError("there is no space left: free some on its disk", {
    details: { retryable: true, outcome: "none" },
  });
}

function tornError(outcome: "written" | "lost"): Error {
  return new StoreError(`the disk failed in the middle of a commit (${outcome})`, {
    details: { retryable: false, outcome: "unknown" },
  });
}
