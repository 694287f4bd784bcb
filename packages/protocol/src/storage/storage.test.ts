import { describe, expect, it } from "vitest";
import { InvalidInputError, StoreError } from "../errors/network-error.js";
import type { StoredEnvelope } from "../ports/store.js";
import { checkAppend } from "./check-append.js";
import { pageLimit, wholeNumber } from "./page-limit.js";
import { walWindow } from "./wal-window.js";

describe("pageLimit and wholeNumber", () => {
  it("default to a page, cut what is larger, refuse what is no whole number", () => {
    expect([pageLimit(undefined), pageLimit(1), pageLimit(1_000), pageLimit(1_001)]).toEqual([
      1_000, 1, 1_000, 1_000,
    ]);
    expect(wholeNumber(undefined, 0, 7, "after")).toBe(7);
    for (const limit of [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "5" as unknown as number,
    ]) {
      expect(() => pageLimit(limit)).toThrow(InvalidInputError);
    }
    expect(() => wholeNumber(-3, 0, 0, "after")).toThrow(
      "field after: received -3. Give a whole number from 0 up, or leave it out.",
    );
  });
});

describe("walWindow", () => {
  it("gives the positions of a page and where the next one begins", () => {
    expect(walWindow({}, 5)).toEqual({ from: 1, to: 5, next: null });
    expect(walWindow({}, 0)).toEqual({ from: 1, to: 0, next: null });
    expect(walWindow({ limit: 2 }, 5)).toEqual({ from: 1, to: 2, next: 2 });
    expect(walWindow({ after: 3, limit: 2 }, 5)).toEqual({ from: 4, to: 5, next: null });
    expect(walWindow({ last: 2, limit: 1 }, 5)).toEqual({ from: 4, to: 5, next: null });
    expect(walWindow({ last: 1_500 }, 2_000)).toEqual({ from: 501, to: 1_500, next: 1_500 });
    expect(walWindow({ last: 1_500, after: 1_500 }, 2_000)).toEqual({
      from: 1_501,
      to: 2_000,
      next: null,
    });
    expect(walWindow({ upTo: 2, after: 4 }, 5)).toMatchObject({ next: null });
  });
});

describe("checkAppend", () => {
  const digest = "a".repeat(64);
  const envelope = (row: number, position: number, prev: number): StoredEnvelope => ({
    row,
    channel_id: "c",
    position,
    prev_row: prev,
    envelope_id: `e${row}`,
    sender_id: "s",
    causation_id: null,
    event_type: "t",
    hash: digest,
    content_digest: digest,
    body: "{}",
  });
  const end = {
    last_row: 4,
    last_envelope_id: "e4",
    headOf: (id: string) => (id === "c" ? { position: 2, row: 3, hash: digest } : null),
  };

  it("returns the new heads of what continues the log", () => {
    const heads = checkAppend([envelope(5, 3, 3), envelope(6, 4, 5)], end);
    expect([...heads]).toEqual([["c", { position: 4, row: 6, hash: digest }]]);
    expect(checkAppend([], end).size).toBe(0);
  });

  it("names what does not fit and what was expected", () => {
    expect(() => checkAppend([envelope(5, 4, 3)], end)).toThrow(StoreError);
    expect(() => checkAppend([envelope(5, 4, 3)], end)).toThrow(/expected position 3, received 4/);
    expect(() => checkAppend([envelope(7, 3, 3)], end)).toThrow(/expected row 5, received 7/);
    expect(() => checkAppend([envelope(5, 3, 2)], end)).toThrow(/expected prev_row 3, received 2/);
    const stranger = { ...envelope(5, 1, 0), channel_id: "x" };
    expect(() => checkAppend([stranger], end)).toThrow(/channel x is not known/);
    const old = { ...envelope(5, 3, 3), envelope_id: "e4" };
    expect(() => checkAppend([old], end)).toThrow(/sort above e4/);
    const crooked = { ...envelope(5, 3, 3), hash: "A".repeat(64) };
    expect(() => checkAppend([crooked], end)).toThrow(/64 lower-case hex/);
  });
});
