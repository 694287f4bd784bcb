import { describe, expect, it } from "vitest";
import { until } from "./until.js";

describe("until", () => {
  it("resolves with the first truthy value", async () => {
    let polls = 0;
    const value = await until(() => {
      polls += 1;
      return polls === 5 ? "ready" : null;
    });
    expect(value).toBe("ready");
    expect(polls).toBe(5);
  });

  it("waits for asynchronous conditions past the eager polls", async () => {
    let polls = 0;
    await until(async () => {
      polls += 1;
      return polls > 110;
    });
    expect(polls).toBe(111);
  });

  it("rejects with the description when the time is up", async () => {
    await expect(until(() => false, { timeoutMs: 5, describe: "a dawn" })).rejects.toThrow(
      "a dawn",
    );
    await expect(
      until(() => false, { timeoutMs: 5, describe: () => "a late dawn" }),
    ).rejects.toThrow("a late dawn");
  });

  it("takes a throwing condition for unmet and reports its last error", async () => {
    const error = new Error("not there");
    const waiting = until(
      () => {
        throw error;
      },
      { timeoutMs: 5 },
    );
    await expect(waiting).rejects.toMatchObject({ cause: error });
    let polls = 0;
    await until(() => {
      polls += 1;
      if (polls < 3) throw error;
      return true;
    });
    expect(polls).toBe(3);
  });
});
