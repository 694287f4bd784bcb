import { createFakeClock } from "@colloquy/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "./deadline-heap.js";

function setUp() {
  const clock = createFakeClock(0);
  const deadlines = createDeadlines(clock);
  const ran: string[] = [];
  const set = (key: string, at: number): void => deadlines.set(key, at, () => ran.push(key));
  return { clock, deadlines, ran, set };
}

describe("deadlines", () => {
  it("run once each, at their time, in order, with one timer for all", () => {
    const { clock, deadlines, ran, set } = setUp();
    set("late", 30);
    set("early", 10);
    set("middle", 20);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(9);
    expect(ran).toEqual([]);
    clock.advance(1);
    expect(ran).toEqual(["early"]);
    clock.advance(100);
    expect(ran).toEqual(["early", "middle", "late"]);
    expect(deadlines.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it("are moved by setting them again and forgotten when cleared", () => {
    const { clock, deadlines, ran, set } = setUp();
    set("a", 10);
    set("a", 50);
    set("b", 20);
    deadlines.clear("b");
    deadlines.clear("unknown");
    clock.advance(49);
    expect(ran).toEqual([]);
    clock.advance(1);
    expect(ran).toEqual(["a"]);
  });

  it("run on request, and tell how many", () => {
    const { clock, deadlines, ran, set } = setUp();
    set("a", 10);
    set("b", 20);
    set("c", 30);
    clock.set(25);
    expect(deadlines.runDue()).toBe(2);
    expect(ran).toEqual(["a", "b"]);
    expect(deadlines.runDue()).toBe(0);
  });

  it("wait on when the wall clock was set back", () => {
    const { clock, ran, set } = setUp();
    set("a", 100);
    clock.set(-1_000);
    clock.advance(100);
    expect(ran).toEqual([]);
    clock.advance(1_000);
    expect(ran).toEqual(["a"]);
  });

  it("that are past run at the next timer, also when a run sets them", () => {
    const { clock, deadlines, ran } = setUp();
    const again = (): void => {
      ran.push("again");
      if (ran.length < 3) deadlines.set("again", 0, again);
    };
    deadlines.set("again", -5, again);
    expect(deadlines.runDue()).toBe(1);
    expect(ran).toEqual(["again"]);
    clock.advance(0);
    expect(ran).toEqual(["again", "again", "again"]);
  });

  it("do nothing after a stop", () => {
    const { clock, deadlines, ran, set } = setUp();
    set("a", 10);
    deadlines.stop();
    set("b", 10);
    clock.advance(100);
    expect(ran).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("behave as a sorted list under any commands", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e");
    const command = fc.oneof(
      fc.record({ do: fc.constant("set" as const), key, at: fc.nat(200) }),
      fc.record({ do: fc.constant("clear" as const), key }),
      fc.record({ do: fc.constant("advance" as const), ms: fc.nat(40) }),
    );
    const property = fc.property(fc.array(command, { maxLength: 300 }), (commands) => {
      const { clock, deadlines, ran, set } = setUp();
      const model = new Map<string, number>();
      const expected: string[] = [];
      for (const step of commands) {
        if (step.do === "set") {
          model.delete(step.key);
          model.set(step.key, clock.now() + step.at);
          set(step.key, clock.now() + step.at);
        } else if (step.do === "clear") {
          model.delete(step.key);
          deadlines.clear(step.key);
        } else {
          clock.advance(step.ms);
          const due = [...model].filter(([, at]) => at <= clock.now());
          for (const [name] of due.sort((a, b) => a[1] - b[1])) {
            expected.push(name);
            model.delete(name);
          }
        }
        expect(ran).toEqual(expected);
        expect(deadlines.size).toBe(model.size);
      }
    });
    void fc.assert(property);
  });
});
