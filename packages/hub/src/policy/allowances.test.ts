import {
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  RateLimitedError,
  type StoredRecord,
} from "@colloquy/protocol";
import { createFakeClock, createRecordingLogger } from "@colloquy/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAllowances, usageRemoval } from "./allowances.js";
import type { Party } from "./arbiter.js";
import { judgeRate } from "./rate-gate.js";

const MINUTE_MS = 60_000;
const envelope = createEnvelope({ channel_id: "c", event_type: "x", event_data: {} });

function party(per_minute: number, burst: number, id = "a"): Party {
  const rule = createRule({ limits: { rate: { per_minute, burst } } });
  return { id, passport: createPassport({ name: "ada" }), resume: createResume(), rule };
}

function open(records: readonly StoredRecord[] = []) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const allowances = createAllowances(clock, logger);
  allowances.restore(records);
  /** Milliseconds to wait; 0 when it was let through and counted. */
  const attempt = (sender: Party): number => {
    const verdict = judgeRate({
      ...{ envelope, sender, now: clock.now() },
      used: allowances.usedBy(sender),
    });
    if (verdict.allow) {
      allowances.take(sender);
      return 0;
    }
    const error = verdict.error?.(verdict.reason);
    return error instanceof RateLimitedError ? error.retryAfterMs : Number.NaN;
  };
  const drain = (sender: Party): number => {
    let sent = 0;
    while (sent < 1_000 && attempt(sender) === 0) sent += 1;
    return sent;
  };
  return { clock, logger, allowances, attempt, drain };
}

describe("limits.rate", () => {
  it("lets a burst through, then one whenever time has made up for one, and says the wait", () => {
    const { clock, attempt, drain } = open();
    const ada = party(60, 10);
    expect(drain(ada)).toBe(10);
    expect(attempt(ada)).toBe(1_000);
    clock.advance(400);
    expect(attempt(ada)).toBe(600);
    clock.advance(600);
    expect(attempt(ada)).toBe(0);
    expect(attempt(ada)).toBe(1_000);
    clock.advance(10 * MINUTE_MS);
    expect(drain(ada)).toBe(10);
  });

  it("takes a burst of 0 for a minute's worth, and a rate of 0 for none", () => {
    const { allowances, drain } = open();
    expect(drain(party(7, 0))).toBe(7);
    expect(drain(party(0, 5, "b"))).toBe(1_000);
    expect(allowances.take(party(0, 5, "b"))).toBeNull();
  });

  it("keeps senders apart", () => {
    const { drain } = open();
    expect(drain(party(60, 3, "a"))).toBe(3);
    expect(drain(party(60, 3, "b"))).toBe(3);
  });

  it("names the rule and the wait in its message, for peers that get no details", () => {
    const verdict = judgeRate({ envelope, sender: party(60, 2), used: 2.25, now: 0 });
    expect(verdict).toMatchObject({
      reason: "sender 'ada' exceeded rate (60 a minute, 2 at once); retry in 1250 ms",
    });
  });

  it("is not locked by a clock that steps back, and refilled once by one that steps forward", () => {
    const { clock, attempt, drain } = open();
    const ada = party(60, 2);
    expect(drain(ada)).toBe(2);
    clock.set(clock.now() - 3_600_000);
    expect(attempt(ada)).toBe(1_000);
    clock.advance(1_000);
    expect(attempt(ada)).toBe(0);
    clock.set(clock.now() + 3_600_000);
    expect(drain(ada)).toBe(2);
  });

  it("gives back what was not stored, and forgets who has left", () => {
    const { allowances, attempt, drain } = open();
    const ada = party(60, 2);
    drain(ada);
    allowances.giveBack("a");
    expect(drain(ada)).toBe(1);
    expect(attempt(ada)).toBeGreaterThan(0);
    allowances.drop("a");
    expect(drain(ada)).toBe(2);
  });

  it("holds a changed rule from the next look on", () => {
    const { attempt, drain } = open();
    expect(drain(party(600, 100))).toBe(100);
    expect(attempt(party(60, 10))).toBe(1_000);
    expect(drain(party(60, 12))).toBe(2);
  });

  it("survives a restart, with what time has made up for meanwhile", () => {
    const before = open();
    const ada = party(60, 10);
    before.drain(ada);
    const record = before.allowances.take(ada);
    const { kind, id, value } = record ?? usageRemoval("never");
    expect(usageRemoval("a")).toEqual({ kind, id, value: null });
    const stored = [{ kind, id, value: value ?? "" }];
    expect(open(stored).attempt(ada)).toBe(1_000);
    const later = open(stored);
    later.clock.advance(5_000);
    expect(later.drain(ada)).toBe(5);
  });

  it("logs a record that cannot be read, and leaves other records alone", () => {
    const { kind, id } = usageRemoval("a");
    const { logger, drain } = open([
      { kind, id, value: "{" },
      { kind, id: "other", value: "{" },
    ]);
    expect(logger.at("error").map(({ fields }) => fields)).toEqual([{ record: id }]);
    expect(drain(party(60, 2))).toBe(2);
  });

  it("never lets through more than the burst and what time made up for; the wait it names suffices", () => {
    void fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 0, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }),
        (perMinute, burst, pauses) => {
          const { clock, attempt } = open();
          const sender = party(perMinute, burst);
          const start = clock.now();
          let sent = 0;
          for (const pause of pauses) {
            clock.advance(pause);
            const wait = attempt(sender);
            if (wait > 0) {
              clock.advance(wait);
              expect(attempt(sender)).toBe(0);
            }
            sent += 1;
            const earned = ((clock.now() - start) * perMinute) / MINUTE_MS;
            expect(sent).toBeLessThanOrEqual((burst || perMinute) + earned + 0.001);
          }
        },
      ),
    );
  });
});
