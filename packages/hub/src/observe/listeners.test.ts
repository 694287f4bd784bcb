import { createRecordingLogger, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { HubListener } from "./hub-listener.js";
import { createListeners } from "./listeners.js";

function open() {
  const logger = createRecordingLogger();
  const listeners = createListeners(logger);
  const heard: string[] = [];
  const hearing = (name: string): HubListener => ({
    onTaskEvent: (taskId, kind) => void heard.push(`${name}: ${taskId} ${kind}`),
  });
  return { logger, listeners, heard, hearing };
}

describe("createListeners", () => {
  it("calls in order of registration, each once, and only who has the hook", () => {
    const { listeners, heard, hearing } = open();
    const first = hearing("first");
    listeners.add(first);
    listeners.add(first);
    listeners.add({});
    listeners.add(hearing("second"));
    listeners.emit("onTaskEvent", "t", "completed", {});
    expect(heard).toEqual(["first: t completed", "second: t completed"]);
    expect(listeners.count).toBe(3);
    listeners.remove(first);
    listeners.remove(first);
    expect(listeners.count).toBe(2);
    listeners.emit("onTaskEvent", "t", "failed", {});
    expect(heard.slice(2)).toEqual(["second: t failed"]);
  });

  it("logs a listener that throws or rejects, and goes on to the next", async () => {
    const { listeners, heard, hearing, logger } = open();
    listeners.add({
      onTaskEvent: () => {
        throw new Error("broken");
      },
    });
    const late = async (): Promise<void> => {
      await settle(1);
      throw new Error("late");
    };
    listeners.add({ onTaskEvent: late as () => void });
    listeners.add(hearing("good"));
    expect(() => listeners.emit("onTaskEvent", "t", "failed", {})).not.toThrow();
    expect(heard).toEqual(["good: t failed"]);
    await settle();
    expect(logger.at("error").map(({ fields }) => fields)).toEqual([
      { hook: "onTaskEvent", fault: "broken" },
      { hook: "onTaskEvent", fault: "late" },
    ]);
  });

  it("keeps a listener's own this, and lets it leave while it is called", () => {
    const { listeners, heard, hearing } = open();
    const once = {
      calls: 0,
      onTaskEvent() {
        this.calls += 1;
        listeners.remove(once);
      },
    };
    listeners.add(once);
    listeners.add(hearing("other"));
    listeners.emit("onTaskEvent", "t", "failed", {});
    listeners.emit("onTaskEvent", "t", "failed", {});
    expect(once.calls).toBe(1);
    expect(heard).toHaveLength(2);
  });
});
