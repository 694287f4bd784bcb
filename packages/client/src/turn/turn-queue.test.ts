import { createFakeClock, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { raceSignal } from "../connection/race-signal.js";
import { createTurnDeadline } from "./turn-deadline.js";
import { createTurnQueue } from "./turn-queue.js";
import { createTurnSlots } from "./turn-slots.js";

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("turn queue", () => {
  it("runs one thing at a time per channel, in order, and channels side by side", async () => {
    const queue = createTurnQueue();
    const log: string[] = [];
    const hold = gate();
    const task =
      (name: string, wait: Promise<void> = Promise.resolve()) =>
      async () => {
        log.push(`${name} begins`);
        await wait;
        log.push(`${name} ends`);
      };
    const all = [
      queue.run("c1", task("a", hold.opened)),
      queue.run("c1", task("b")),
      queue.run("c2", task("c")),
    ];
    await settle();
    expect(log).toEqual(["a begins", "c begins", "c ends"]);
    expect(queue.size).toBe(2);
    hold.open();
    await Promise.all(all);
    expect(log.slice(3)).toEqual(["a ends", "b begins", "b ends"]);
    expect(queue.size).toBe(0);
  });

  it("goes on after a task that throws", async () => {
    const queue = createTurnQueue();
    const failing = queue.run("c", () => Promise.reject(new Error("odd")));
    const next = queue.run("c", () => Promise.resolve());
    await expect(failing).rejects.toThrow("odd");
    await next;
    expect(queue.size).toBe(0);
  });

  it("cancels what runs in one channel, and everything at its end", async () => {
    const queue = createTurnQueue();
    const reasons: unknown[] = [];
    const untilAborted = (signal: AbortSignal) =>
      raceSignal(new Promise<void>(() => undefined), signal).catch((reason: Error) => {
        reasons.push(reason.message);
      });
    const one = queue.run("c1", untilAborted);
    const other = queue.run("c2", untilAborted);
    await settle();
    queue.cancel("c1", new Error("closed"));
    queue.cancel("unknown", new Error("closed"));
    await one;
    queue.cancelAll(new Error("stopped"));
    await other;
    await queue.run("c3", untilAborted);
    expect(reasons).toEqual(["closed", "stopped", "stopped"]);
  });
});

describe("turn slots", () => {
  it("are given in order and given back once", async () => {
    const slots = createTurnSlots(1);
    const { signal } = new AbortController();
    const giveBack = await slots.take(signal);
    const order: string[] = [];
    const second = slots.take(signal).then((back) => {
      order.push("second");
      back();
    });
    const third = slots.take(signal).then(() => order.push("third"));
    await settle();
    expect(order).toEqual([]);
    giveBack();
    giveBack();
    await Promise.all([second, third]);
    expect(order).toEqual(["second", "third"]);
  });

  it("are not given to those who no longer want one", async () => {
    const slots = createTurnSlots(1);
    const abort = new AbortController();
    const giveBack = await slots.take(abort.signal);
    const waiting = slots.take(abort.signal);
    abort.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(slots.take(abort.signal)).rejects.toThrow("gone");
    giveBack();
    await slots.take(new AbortController().signal);
  });
});

describe("turn deadline", () => {
  it("ends a turn by time or by its sources, and leaves nothing behind", () => {
    const clock = createFakeClock();
    const source = new AbortController();
    const timed = createTurnDeadline(clock, 100, [source.signal]);
    clock.advance(100);
    expect(timed.signal.reason).toMatchObject({ code: "client/timed_out" });

    const sourced = createTurnDeadline(clock, 100, [source.signal]);
    source.abort(new Error("closed"));
    expect(sourced.signal.reason).toMatchObject({ message: "closed" });
    sourced.clear();
    expect(createTurnDeadline(clock, 100, [source.signal]).signal.aborted).toBe(true);
  });
});
