import { describe, expect, it, vi } from "vitest";
import { createAbortWatch } from "./abort-watch.js";

describe("createAbortWatch", () => {
  it("puts one listener on a signal for all that wait, and takes it away with the last", () => {
    const { signal } = new AbortController();
    const [add, remove] = [
      vi.spyOn(signal, "addEventListener"),
      vi.spyOn(signal, "removeEventListener"),
    ];
    const watch = createAbortWatch();
    const stops = Array.from({ length: 50 }, () => watch(signal, () => undefined));
    expect(add).toHaveBeenCalledTimes(1);
    for (const stop of stops.slice(1)) stop();
    expect(remove).not.toHaveBeenCalled();
    stops[0]?.();
    stops[0]?.();
    expect(remove).toHaveBeenCalledTimes(1);
    watch(signal, () => undefined);
    expect(add).toHaveBeenCalledTimes(2);
  });

  it("calls back everybody who still waits, each signal its own", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const watch = createAbortWatch();
    const told: string[] = [];
    const stop = watch(one.signal, () => told.push("stopped"));
    watch(one.signal, () => told.push("first"));
    watch(one.signal, () => told.push("second"));
    watch(other.signal, () => told.push("other"));
    stop();
    one.abort();
    expect(told).toEqual(["first", "second"]);
    other.abort();
    expect(told).toEqual(["first", "second", "other"]);
  });

  it("lets one that is called back take others away", () => {
    const controller = new AbortController();
    const watch = createAbortWatch();
    const told: string[] = [];
    const stops = new Map<string, () => void>();
    for (const name of ["first", "second"]) {
      const onAbort = () => {
        told.push(name);
        for (const stop of stops.values()) stop();
      };
      stops.set(name, watch(controller.signal, onAbort));
    }
    controller.abort();
    expect(told).toEqual(["first", "second"]);
  });
});
