import { createFakeClock, createRecordingLogger, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { captureTerminal } from "../../../../test/cli/capture-terminal.js";
import { runUntilEnd } from "./ending.js";

function start(drain: () => Promise<void>) {
  const terminal = captureTerminal();
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const ended = runUntilEnd({ drain, limitMs: 1_000 }, { terminal, clock, logger });
  return { terminal, clock, logger, ended };
}

describe("runUntilEnd", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("drains on %s and ends well", async (signal) => {
    let drained = 0;
    const run = start(async () => {
      drained += 1;
    });
    run.terminal.signal(signal);
    expect(await run.ended).toBe(0);
    expect(drained).toBe(1);
    expect(run.terminal.exits).toEqual([]);
    expect(run.terminal.listening).toBe(false);
    expect(run.logger.at("info").map(({ message }) => message)).toEqual([
      "draining; a second signal stops at once",
      "stopped",
    ]);
  });

  it("ends at once on a second signal", async () => {
    let release: (() => void) | null = null;
    const run = start(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    run.terminal.signal("SIGTERM");
    const finish = await until<(() => void) | null>(() => release);
    run.terminal.signal("SIGTERM");
    expect(run.terminal.exits).toEqual([1]);
    finish();
    await run.ended;
  });

  it("gives a drain that does not end no more than its limit", async () => {
    const run = start(() => new Promise(() => undefined));
    run.terminal.signal("SIGTERM");
    await until(() => run.clock.pendingTimers > 0);
    run.clock.advance(1_000);
    expect(await run.ended).toBe(1);
    expect(run.logger.at("error")[0]?.message).toContain("within its limit");
  });

  it("says when it could not stop cleanly", async () => {
    const run = start(() => Promise.reject(new Error("disk full")));
    run.terminal.signal("SIGTERM");
    expect(await run.ended).toBe(1);
    expect(run.logger.at("error")[0]?.message).toContain("could not stop cleanly");
  });

  it("logs an error that nobody caught and ends the process", async () => {
    const run = start(() => Promise.resolve());
    run.terminal.fault(new Error("unforeseen"));
    expect(run.terminal.exits).toEqual([1]);
    expect(run.logger.at("error")[0]?.fields["err"]).toMatchObject({ message: "unforeseen" });
    run.terminal.signal("SIGTERM");
    await run.ended;
  });
});
