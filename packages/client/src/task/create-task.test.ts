import { formatTimestamp, isTerminalTaskState, taskStateSchema } from "@colloquy/protocol";
import { createFakeClock, FAKE_START_MS } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { CheckpointState, CheckpointStore } from "./checkpoint-store.js";
import { createTask, type TaskOptions } from "./create-task.js";
import type { TaskEvent } from "./task-events.js";

function memoryCheckpoints(): CheckpointStore {
  const kept = new Map<string, CheckpointState>();
  return {
    write: async (taskId, state) => void kept.set(taskId, structuredClone(state)),
    read: async (taskId) => kept.get(taskId) ?? null,
  };
}

let made = 0;
function makeTask(options: Partial<TaskOptions> = {}) {
  made += 1;
  const clock = createFakeClock();
  const events: TaskEvent[] = [];
  const taskId = `task-${made}`;
  const task = createTask({ spec: "sums", ownerId: "ada", taskId, clock, ...options });
  task.events.subscribe((event) => void events.push(event));
  return { task, clock, events, kinds: () => events.map(({ kind }) => kind) };
}

/** Work that lasts until its task's signal is aborted, and then throws as an aborted call does. */
const untilAborted = (task: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => {
    task.signal.addEventListener("abort", () => reject(task.signal.reason));
  });

describe("the states of a task", () => {
  it("N-237 N-238 hold `cancelled`, which is final", () => {
    const cancelled = taskStateSchema.options.find((state) => state === "cancelled");
    expect(cancelled).toBe("cancelled");
    expect(taskStateSchema.options.filter(isTerminalTaskState)).toContain("cancelled");
  });
});

describe("a task", () => {
  it("gives the work's value back and completes with null when the scope ends", async () => {
    const { task, events, kinds, clock } = makeTask({
      spec: { title: "sums", capability: "math" },
    });
    expect(task.state).toBe("created");
    const value = await task.run((inside) => {
      expect(inside).toBe(task);
      expect(task.state).toBe("running");
      clock.advance(1_500);
      return 42;
    });
    expect(value).toBe(42);
    expect(kinds()).toEqual(["started", "completed"]);
    expect(events[0]?.task).toMatchObject({ state: "running", completed_at: null });
    expect(task.metadata).toEqual({
      task_id: task.id,
      owner_id: "ada",
      spec: { title: "sums", description: "", payload: {}, capability: "math" },
      state: "completed",
      created_at: formatTimestamp(FAKE_START_MS),
      started_at: formatTimestamp(FAKE_START_MS),
      completed_at: formatTimestamp(FAKE_START_MS + 1_500),
      expires_at: null,
      last_progress_at: null,
      progress: {},
      result: null,
      error: "",
      channel_id: null,
    });
    expect(task.signal.aborted).toBe(false);
  });

  it("fails with what its work throws, and passes it on", async () => {
    const { task, kinds } = makeTask();
    const fault = new Error("out of paper");
    await expect(
      task.run(() => {
        throw fault;
      }),
    ).rejects.toBe(fault);
    expect([task.state, task.metadata.error]).toEqual(["failed", "out of paper"]);
    expect(kinds()).toEqual(["started", "failed"]);
  });

  it("merges progress, copies it, and tells what each step added", async () => {
    const { task, events } = makeTask();
    const payload = { done: 1, parts: ["a"] };
    await task.run(() => {
      task.progress(payload);
      payload.parts.push("b");
      task.progress({ done: 2 });
    });
    expect(task.metadata.progress).toEqual({ done: 2, parts: ["a"] });
    expect(task.metadata.last_progress_at).toBe(formatTimestamp(FAKE_START_MS));
    expect(events.map(({ progress }) => progress)).toEqual([
      {},
      { done: 1, parts: ["a"] },
      { done: 2 },
      {},
    ]);
    expect(events[1]?.task.progress).toEqual({ done: 1, parts: ["a"] });
  });

  it("N-239 ends as cancelled with its owner's reason, of which one step tells", async () => {
    const { task, events, kinds } = makeTask();
    await task.run(() => task.cancel("no longer needed"));
    expect([task.state, task.metadata.error]).toEqual(["cancelled", "no longer needed"]);
    expect(kinds()).toEqual(["started", "cancelled"]);
    expect(events[1]?.task.error).toBe("no longer needed");
    expect(task.signal.reason).toMatchObject({
      code: "client/task_cancelled",
      details: { task_id: task.id, reason: "no longer needed" },
    });
  });

  it("N-240 that has completed stays so when it is cancelled", async () => {
    const { task, kinds } = makeTask();
    await task.run(() => {
      task.complete({ sum: 3 });
      task.cancel("too late");
    });
    task.cancel("far too late");
    expect([task.state, task.metadata.result]).toEqual(["completed", { sum: 3 }]);
    expect(kinds()).toEqual(["started", "completed"]);
    expect(task.signal.aborted).toBe(false);
  });

  it.each(["complete", "fail", "expire", "cancel"] as const)(
    "that has ended by %s takes no further word",
    async (verb) => {
      const checkpoints = memoryCheckpoints();
      const { task, events } = makeTask({ checkpoints });
      await task.run(async () => {
        task[verb]("first");
        const after = task.metadata;
        task.progress({ late: true });
        task.complete(1);
        task.fail("late");
        task.expire();
        task.cancel("late");
        await task.checkpoint({ late: true });
        expect(task.metadata).toEqual(after);
      });
      expect(events).toHaveLength(2);
      expect(await checkpoints.read(task.id)).toBeNull();
    },
  );

  it("refuses every word before it is entered, and to be entered twice", async () => {
    const { task, events } = makeTask({ checkpoints: memoryCheckpoints() });
    expect(() => task.progress({})).toThrow("progress: the task is not entered yet");
    expect(() => task.complete()).toThrow(TypeError);
    expect(() => task.fail("x")).toThrow(TypeError);
    expect(() => task.expire()).toThrow(TypeError);
    expect(() => task.cancel()).toThrow(TypeError);
    await expect(task.checkpoint({})).rejects.toThrow(TypeError);
    expect([task.state, events]).toEqual(["created", []]);
    await task.run(() => undefined);
    await expect(task.run(() => undefined)).rejects.toThrow("a task can be run once");
  });

  it("expires when its time is up: the signal is aborted and the work's end changes nothing", async () => {
    const { task, clock, kinds } = makeTask({ ttl: "2s" });
    const running = task.run(untilAborted);
    await Promise.resolve();
    expect(task.metadata.expires_at).toBe(formatTimestamp(FAKE_START_MS + 2_000));
    clock.advance(1_999);
    expect(task.state).toBe("running");
    clock.advance(1);
    await expect(running).rejects.toMatchObject({ code: "client/timed_out" });
    expect([task.state, task.metadata.error]).toEqual(["expired", "ttl_expired"]);
    expect(kinds()).toEqual(["started", "expired"]);
  });

  it("that ended in time leaves no timer, and one with ttl 0 has none", async () => {
    const { task, clock, kinds } = makeTask({ ttl: 1 });
    await task.run(() => undefined);
    clock.advance(10_000);
    expect(kinds()).toEqual(["started", "completed"]);
    const endless = makeTask({ ttl: 0 });
    await endless.task.run(() => endless.clock.advance(1e9));
    expect(endless.task.metadata).toMatchObject({ state: "completed", expires_at: null });
    expect(() => makeTask({ ttl: "soon" })).toThrow("duration");
  });

  it("is aborted with the signal that it was given, and not after its end", async () => {
    const source = new AbortController();
    const { task } = makeTask({ signal: source.signal });
    const running = task.run(untilAborted);
    await Promise.resolve();
    source.abort(new Error("the turn is over"));
    await expect(running).rejects.toThrow("the turn is over");
    expect([task.state, task.metadata.error]).toEqual(["failed", "the turn is over"]);

    const later = new AbortController();
    const ended = makeTask({ signal: later.signal }).task;
    await ended.run(() => undefined);
    later.abort();
    expect(ended.signal.aborted).toBe(false);
  });

  it("N-241 goes on from the checkpoint of the task that it resumes", async () => {
    const checkpoints = memoryCheckpoints();
    const first = makeTask({ checkpoints }).task;
    await first.run(() => first.checkpoint({ page: 7, done: { a: [1] } }));
    const second = makeTask({ checkpoints, resumeFrom: first.id }).task;
    expect(second.resumedState).toBeNull();
    await second.run(() => {
      expect(second.resumedState).toEqual({ page: 7, done: { a: [1] } });
    });
    const third = makeTask({ checkpoints, resumeFrom: "unknown" }).task;
    await third.run(() => expect(third.resumedState).toBeNull());
  });

  it("is not begun when the checkpoint cannot be read, and needs a store for one", async () => {
    const broken = {
      write: async () => undefined,
      read: async () => Promise.reject(new Error("x")),
    };
    const { task, events } = makeTask({ checkpoints: broken, resumeFrom: "t" });
    await expect(task.run(() => 1)).rejects.toThrow("x");
    expect([task.state, events]).toEqual(["created", []]);
    const bare = makeTask().task;
    await expect(bare.run(() => bare.checkpoint({}))).rejects.toThrow("no checkpoint store");
  });

  it("refuses a wrong spec, and what is no plain JSON", async () => {
    expect(() => makeTask({ spec: { title: 1 } as never })).toThrow("task spec, field title");
    const { task } = makeTask();
    await task.run(() => {
      expect(() => task.progress({ big: 1n })).toThrow("progress must be plain JSON");
      expect(() => task.progress([] as never)).toThrow("progress must be a plain object");
      expect(() => task.complete(1n)).toThrow("result must be plain JSON");
    });
    expect(task.metadata).toMatchObject({ state: "completed", progress: {}, result: null });
  });

  it("goes on when a listener throws, which is told on", async () => {
    const faults: unknown[] = [];
    const { task, kinds } = makeTask({ onFault: (error) => void faults.push(error) });
    const fault = new Error("deaf");
    const end = task.events.subscribe(() => {
      throw fault;
    });
    await task.run(() => {
      task.progress({ a: 1 });
      end();
    });
    expect(faults).toEqual([fault, fault]);
    expect(kinds()).toEqual(["started", "progress", "completed"]);
  });
});
