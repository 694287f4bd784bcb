import { describe, expect, it } from "vitest";
import { createStatusFeed } from "./status.js";

describe("status feed", () => {
  it("starts with the present status and ends after closed", async () => {
    const feed = createStatusFeed();
    feed.set({ state: "connecting", attempt: 0, reason: "" });
    const steps: string[] = [];
    const reading = (async () => {
      for await (const { state } of feed.follow()) steps.push(state);
    })();
    await Promise.resolve();
    feed.set({ state: "open", attempt: 0, reason: "" });
    feed.set({ state: "closed", attempt: 0, reason: "done" });
    await reading;
    expect(steps).toEqual(["connecting", "open", "closed"]);
    expect(feed.current.reason).toBe("done");
  });

  it("leaves the oldest steps out for a reader that lags", async () => {
    const feed = createStatusFeed();
    const steps = feed.follow();
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      feed.set({ state: "reconnecting", attempt, reason: "" });
    }
    const first = await steps.next();
    expect(first.value).toMatchObject({ attempt: 37 });
    await steps.return?.();
  });
});
