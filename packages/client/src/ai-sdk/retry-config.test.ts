import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.js";
import { retryDelayMs, retryPolicy } from "./retry-config.js";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after": "120" }, 120_000],
    [{ "Retry-After": " 1.5 " }, 1_500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
    [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "" }, null],
    [{}, null],
  ])("reads %o as %s ms", (headers: Record<string, string>, delayMs) => {
    expect(retryAfterMs(headers, NOW)).toBe(delayMs);
  });
});

describe("retryDelayMs", () => {
  it("is 5 s, 10 s, 20 s and so on up to 300 s", () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => retryDelayMs(retryPolicy(), n, {}, NOW));
    expect(delays.map((ms) => ms / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });

  it("is what the server asks for, also when that is shorter, but never above the limit", () => {
    const asked = (seconds: string) =>
      retryDelayMs(retryPolicy(), 2, { "retry-after": seconds }, NOW);
    expect([asked("1"), asked("45"), asked("4000")]).toEqual([1_000, 45_000, 300_000]);
  });

  it("is the doubling delay where the server is not to be heard", () => {
    const policy = retryPolicy({ respectRetryAfter: false, baseDelayMs: 10 });
    expect(retryDelayMs(policy, 1, { "retry-after": "45" }, NOW)).toBe(20);
  });
});
