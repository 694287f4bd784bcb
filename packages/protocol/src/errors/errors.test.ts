import { describe, expect, it } from "vitest";
import { ERROR_CODES, type ErrorCode, isErrorCode, toBareCode } from "./error-codes.js";
import { errorFromWire, isNetworkError } from "./error-from-wire.js";
import { InvalidInputError, NotFoundError, RateLimitedError } from "./network-error.js";

describe("errors", () => {
  it.each(Object.keys(ERROR_CODES) as ErrorCode[])(
    "rebuilds %s with its code and message",
    (code) => {
      const error = errorFromWire(code, "no", {
        field: "a",
        received: "null",
        remedy: "b",
        retry_after_ms: 5,
      });
      expect(error.code).toBe(code);
      expect(error.message).toBe("no");
      expect(isNetworkError(error)).toBe(true);
    },
  );

  it("N-184 gives back the very class that was thrown on the other side", () => {
    expect(errorFromWire("not_found", "gone")).toBeInstanceOf(NotFoundError);
  });

  it("keeps facts for programs", () => {
    expect(new RateLimitedError("slow down", 250).details).toEqual({ retry_after_ms: 250 });
    const error = new InvalidInputError("bad", {
      field: "name",
      received: "null",
      remedy: "send text",
    });
    expect(error.details).toEqual({ field: "name", received: "null", remedy: "send text" });
  });

  it("keeps every fact beside the wait of a rate", () => {
    const details = { retry_after_ms: 250, refusal_id: "r" };
    expect(errorFromWire("rate_limited", "slow down", details).details).toEqual(details);
  });

  it("takes an unknown code as a plain error", () => {
    expect(errorFromWire("__proto__", "odd").code).toBe("error");
    expect(isErrorCode("toString")).toBe(false);
  });

  it("narrows to AG2's five codes for bare peers", () => {
    expect(toBareCode("inbox_full")).toBe("error");
    expect(toBareCode("not_found")).toBe("not_found");
  });

  it("keeps the cause", () => {
    const cause = new Error("disk");
    expect(new NotFoundError("gone", { cause }).cause).toBe(cause);
    expect("cause" in new NotFoundError("gone")).toBe(false);
  });
});
