import type { Machine } from "./machine.js";
import type { Measurement } from "./measurement.js";

/** A row of the design that no run of this program measures. */
export interface NotMeasured {
  readonly title: string;
  readonly reason: string;
}

/** All that one run gave. */
export interface Report {
  /** ISO time at which the run began. */
  readonly at: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly quick: boolean;
  /** Seconds that the whole run took. */
  readonly tookSeconds: number;
  readonly measurements: readonly Measurement[];
  /** Rows that broke off, with the error. */
  readonly failures: readonly { readonly row: string; readonly error: string }[];
  readonly notMeasured: readonly NotMeasured[];
}

/** Rows of the design that need AG2's hub, which is no part of this repository. */
export const NOT_MEASURED: readonly NotMeasured[] = [
  {
    title: "admission in process, against AG2's hub with its memory store (≥ 20 ×)",
    reason: "needs AG2; the absolute figures stand in row admission",
  },
  {
    title: "durable round over WebSocket, against AG2's hub with its disk store (≥ 10 ×)",
    reason: "needs AG2; the absolute figures stand in rows durable-round and one-at-a-time",
  },
];
