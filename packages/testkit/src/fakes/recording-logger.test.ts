import { describe, expect, it } from "vitest";
import { createRecordingLogger } from "./recording-logger.js";

describe("createRecordingLogger", () => {
  it("keeps lines in order, filters by level and forgets on request", () => {
    const logger = createRecordingLogger();
    const { warn } = logger;
    logger.info({ n: 1 }, "one");
    warn({ n: 2 }, "two");
    expect(logger.lines).toEqual([
      { level: "info", fields: { n: 1 }, message: "one" },
      { level: "warn", fields: { n: 2 }, message: "two" },
    ]);
    expect(logger.at("warn").map((line) => line.message)).toEqual(["two"]);
    logger.clear();
    expect(logger.lines).toEqual([]);
  });
});
