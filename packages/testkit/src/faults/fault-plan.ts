import { type Store, StoreError } from "@colloquy/protocol";
import { createRandom } from "./random.js";

/** The methods of a store that may be made to fail. */
export type StoreMethod = Exclude<keyof Store, "durability" | "blocks" | "health">;

/** How one call ends. */
export type Fault =
  | { readonly kind: "none" | "crash_before" | "crash_after" }
  | { readonly kind: "fail"; readonly makeError: () => Error }
  | { readonly kind: "delay"; readonly delayMs: number }
  | { readonly kind: "torn"; readonly outcome: "written" | "lost" };

/** Chances from 0 to 1 per method: `fail` before the store is reached; `torn`, for commits, with either outcome. */
export type FaultRates = {
  readonly [M in StoreMethod]?: {
    readonly fail?: number;
    readonly torn?: number;
    readonly makeError?: () => Error;
  };
};

/** What is to go wrong, and what was called. */
export interface FaultPlan {
  count(method: StoreMethod): void;
  calls(method: StoreMethod): number;
  /** Plans a fault for each of the next `times` calls that have none yet. */
  add(method: StoreMethod, fault: Fault, times: number): void;
  isArmed(method: StoreMethod): boolean;
  /** Takes the next fault of a method; planned ones come before drawn ones. */
  next(method: StoreMethod): Fault;
  randomly(rates: FaultRates): void;
  clear(): void;
}

const NONE: Fault = { kind: "none" };

/** Makes an empty {@link FaultPlan}. */
export function createFaultPlan(seed: number): FaultPlan {
  const random = createRandom(seed);
  const counts = new Map<StoreMethod, number>();
  const planned = new Map<StoreMethod, Fault[]>();
  let rates: FaultRates = {};

  const draw = (method: StoreMethod): Fault => {
    const rate = rates[method];
    if (rate === undefined) return NONE;
    const [chance, side] = [random(), random()];
    const { fail = 0, torn = 0, makeError } = rate;
    if (chance < fail) {
      return { kind: "fail", makeError: makeError ?? (() => drawnError(method)) };
    }
    if (method !== "commit" || chance >= fail + torn) return NONE;
    return { kind: "torn", outcome: side < 0.5 ? "written" : "lost" };
  };

  return {
    count: (method) => void counts.set(method, (counts.get(method) ?? 0) + 1),
    calls: (method) => counts.get(method) ?? 0,
    add(method, fault, times) {
      const faults = planned.get(method) ?? [];
      for (let time = 0; time < times; time += 1) faults.push(fault);
      planned.set(method, faults);
    },
    isArmed: (method) => (planned.get(method)?.length ?? 0) > 0 || rates[method] !== undefined,
    next: (method) => planned.get(method)?.shift() ?? draw(method),
    randomly(next) {
      rates = next;
    },
    clear() {
      planned.clear();
      rates = {};
    },
  };
}

function drawnError(method: StoreMethod): StoreError {
  return new StoreError(`the disk failed in ${method}`, {
    details: { retryable: true, outcome: "none" },
  });
}
