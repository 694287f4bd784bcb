import { AccessDeniedError, NotFoundError, silentLogger } from "@colloquy/protocol";
import { createFakeClock, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createTask } from "./create-task.js";
import { createTaskMirror, type TaskHub } from "./task-mirror.js";

type Call = readonly [op: string, ...args: unknown[]];

/** A hub that notes what it is told, and refuses some of it. */
function noteHub(refuse: (op: string) => Error | null = () => null) {
  const calls: Call[] = [];
  const gates: (() => void)[] = [];
  let isHeld = false;
  const note =
    (op: string) =>
    async (...args: unknown[]): Promise<void> => {
      calls.push([op, ...args]);
      if (isHeld) await new Promise<void>((resolve) => gates.push(resolve));
      const error = refuse(op);
      if (error !== null) throw error;
    };
  const hub: TaskHub = {
    observeTask: note("observe"),
    updateTask: note("update"),
    recordObservation: note("record"),
    fireTaskEvent: note("fire"),
  };
  return {
    hub,
    calls,
    ops: () => calls.map(([op]) => op),
    hold: () => {
      isHeld = true;
    },
    free() {
      isHeld = false;
      for (const open of gates.splice(0)) open();
    },
  };
}

function start(noted: ReturnType<typeof noteHub>, capability: string | null = "math") {
  const clock = createFakeClock();
  const spec = { title: "sums", capability };
  const task = createTask({ spec, ownerId: "by name", taskId: "t1", clock });
  const mirror = createTaskMirror({
    hub: noted.hub,
    agentId: "ada-id",
    channelId: "c1",
    logger: silentLogger,
  });
  const detach = mirror.attach(task.events);
  return { task, clock, mirror, detach };
}

describe("a task mirror", () => {
  it("observes the start, passes progress on, and records the end for the capability", async () => {
    const noted = noteHub();
    const { task, clock, mirror } = start(noted);
    await task.run(async () => {
      await settle();
      task.progress({ page: 1 });
      await settle();
      clock.advance(420);
      task.complete("done");
    });
    await mirror.settled();
    expect(noted.calls).toEqual([
      ["observe", expect.objectContaining({ task_id: "t1", owner_id: "ada-id", channel_id: "c1" })],
      ["update", "t1", { progress: { page: 1 } }],
      ["update", "t1", { state: "completed", result: "done", error: "" }],
      [
        "record",
        {
          ...{ owner_id: "ada-id", capability: "math", outcome: "completed", task_id: "t1" },
          latency_ms: 420,
        },
      ],
    ]);
  });

  it.each(["fail", "expire", "cancel"] as const)("tells the reason of a %s", async (verb) => {
    const noted = noteHub();
    const { task, mirror } = start(noted, null);
    await task.run(() => task[verb]("so it goes"));
    await mirror.settled();
    const { state, error } = task.metadata;
    expect(noted.calls.at(-1)).toEqual(["update", "t1", { state, result: null, error }]);
    expect(noted.ops()).not.toContain("record");
  });

  it("keeps the order, and merges progress that has to wait", async () => {
    const noted = noteHub();
    noted.hold();
    const { task, mirror } = start(noted, null);
    await task.run(() => {
      for (let page = 1; page <= 1_000; page += 1) task.progress({ page, [`p${page % 2}`]: true });
    });
    expect(noted.ops()).toEqual(["observe"]);
    noted.free();
    await mirror.settled();
    expect(noted.ops()).toEqual(["observe", "update", "update"]);
    expect(noted.calls[1]).toEqual([
      "update",
      "t1",
      { progress: { page: 1_000, p0: true, p1: true } },
    ]);
  });

  it("reports what the hub refuses, passes unknown tasks over, and hurts nobody", async () => {
    const noted = noteHub((op) => {
      if (op === "update") return new NotFoundError("task not found: t1");
      return op === "fire" ? null : new AccessDeniedError(`no ${op}`);
    });
    const { task, mirror } = start(noted);
    expect(await task.run(() => "value")).toBe("value");
    await mirror.settled();
    expect(noted.ops()).toEqual(["observe", "fire", "update", "record", "fire"]);
    expect(noted.calls[1]).toEqual([
      "fire",
      "t1",
      "mirror_failed",
      {
        op: "observe_task",
        owner_id: "ada-id",
        channel_id: "c1",
        exc_type: "AccessDeniedError",
        exc_message: "no observe",
      },
    ]);
    const deaf = noteHub(() => new Error("the hub is gone"));
    const second = start(deaf);
    await second.task.run(() => undefined);
    await expect(second.mirror.settled()).resolves.toBeUndefined();
    expect(deaf.ops().filter((op) => op === "fire")).toHaveLength(3);
  });

  it("that is taken away hears no more, and brings what it has heard", async () => {
    const noted = noteHub();
    const { task, detach } = start(noted, null);
    await task.run(() => detach());
    await until(() => noted.calls.length === 1);
    await settle();
    expect(noted.ops()).toEqual(["observe"]);
  });
});
